/**
 * Jobs and CronJobs.
 *
 * @module
 */

export { CRON_JOB } from "./cron_job.ts";
export { JOB } from "./job.ts";
