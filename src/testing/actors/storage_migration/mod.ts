/**
 * The migration of stored objects to the storage version of their resource.
 *
 * @module
 */

export { StorageVersionMigrator } from "./storage_version_migrator.ts";
