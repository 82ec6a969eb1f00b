/**
 * Loads a part of `@kubeloop/testing`, which most users of the other commands do not need.
 *
 * @param command The command that needs the package, for the error.
 * @throws {Error} If the package is not installed.
 */
export async function loadTesting<T>(command: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      `${command} needs the package @kubeloop/testing: npm install --save-dev @kubeloop/testing`,
      { cause: error },
    );
  }
}
