/**
 * StorageVersionMigrations.
 *
 * @module
 */

export { STORAGE_VERSION_MIGRATION } from "./storage_version_migration.ts";
