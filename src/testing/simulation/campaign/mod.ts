/**
 * Campaigns: workloads from the schema of a custom resource, which change each of its properties and restore it.
 *
 * @module
 */

export { acceptedChanges, type Changes } from "./accepted_changes.ts";
export { campaign, type CampaignOptions } from "./campaign.ts";
export { changesOf } from "./changes_of.ts";
