import { defineSchedule } from "quickback";

/** One job for each organization, which sees the organization's rows alone. */
export default defineSchedule({
  cron: "30 2 * * *",
  timeZone: "Europe/Berlin",
  job: "digest",
  input: { states: ["todo", "doing"] },
  each: "organization",
});
