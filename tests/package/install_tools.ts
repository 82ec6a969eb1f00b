/** Installs what the parts of the gate then find, since they may run side by side. */

import { PLAYGROUND_PACKAGES, runtimes, toolsFolder } from "./_tools.ts";

await Promise.all([runtimes(), toolsFolder(), toolsFolder(PLAYGROUND_PACKAGES)]);
