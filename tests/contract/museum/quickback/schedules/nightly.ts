import { defineSchedule } from "quickback";

export default defineSchedule({
  cron: "15 3 * * *",
  timeZone: "Europe/Rome",
  job: "countVisits",
  input: { day: "yesterday" },
  each: "organization",
});
