/** Installs what the parts of the gate then find, since they may run side by side. */

import { runtimes, toolsFolder } from "./_tools.ts";

await Promise.all([runtimes(), toolsFolder()]);
