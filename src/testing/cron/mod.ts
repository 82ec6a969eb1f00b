/**
 * The schedules of CronJobs: the API server validates them, and the controller of CronJobs asks for their times. The
 * grammar and the errors are the same as in github.com/robfig/cron, which Kubernetes uses.
 *
 * @module
 */

export { CronSchedule } from "./cron_schedule.ts";
