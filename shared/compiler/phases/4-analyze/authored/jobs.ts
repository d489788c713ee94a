/** Reads `jobs/*.ts` and `schedules/*.ts` into their models (definitions 6). */
import { Cron } from "croner";
import { JOB, JOB_UNSAFE, SCHEDULE } from "../../../../definition_language/services.ts";
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { compareText } from "../../../../lib/texts.ts";
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { JobModel, ScheduleModel } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type * as values from "../../values.ts";
import { readUnsafeFields } from "../actions/access.ts";
import { type Fields, readField, readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, invalidValue, type Reader, wrongType } from "../read/reader.ts";
import { readJson } from "../read/scalars.ts";

interface JobsInput {
  readonly definitions: values.Definitions;
  readonly report: Report;
  /** Files that other files import. They need not define a job. */
  readonly imported: ReadonlySet<string>;
}

export interface JobModels {
  readonly jobs?: readonly JobModel[];
  readonly schedules?: readonly ScheduleModel[];
}

/**
 * Returns the jobs and schedules. A list without entries is absent, so that the model of projects without jobs does not change.
 */
export function readJobs(input: JobsInput): JobModels {
  const jobs = definitionsIn("jobs", "defineJob", JOB, input).map(({ fields, ...file }) => {
    // Any expression that makes a schema is accepted, because the schema runs only in the generated API.
    requireField(
      fields,
      "input",
      (value, at) =>
        ["string", "number", "boolean", "null"].includes(value.kind)
          ? wrongType(value, "a Zod schema", at)
          : true,
    );
    // Any expression that makes a function is accepted.
    requireField(
      fields,
      "run",
      (value, at) =>
        ["function", "thunk", "unreadable", "call", "reference"].includes(value.kind)
          ? true
          : wrongType(value, "a function", at),
    );
    const unsafe = readField(fields, "unsafe", readJobUnsafe);
    return { ...file, timeout: read(fields, "timeout"), ...(unsafe ? { unsafe } : {}) };
  });
  const schedules = definitionsIn("schedules", "defineSchedule", SCHEDULE, input)
    .flatMap(({ fields, ...file }) => readSchedule(file, fields, jobs) ?? []);
  return {
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(schedules.length === 0 ? {} : { schedules }),
  };
}

const readJobUnsafe: Reader<NonNullable<JobModel["unsafe"]>> = (value, at) => {
  const fields = readUnsafeFields(JOB_UNSAFE, value, at);
  return fields &&
    { reason: read(fields, "reason") ?? "", crossTenant: read(fields, "crossTenant") };
};

interface FoundDefinition<Own extends Members> {
  readonly name: string;
  readonly module: string;
  readonly fields: Fields<Own>;
}

/** Returns the definitions of a folder, sorted by name. */
function definitionsIn<Own extends Members>(
  folder: "jobs" | "schedules",
  callee: "defineJob" | "defineSchedule",
  shape: Shape<Own>,
  { definitions, report, imported }: JobsInput,
): readonly FoundDefinition<Own>[] {
  const found = new Map<string, FoundDefinition<Own>>();
  for (const { file, isParsed, exported } of definitions.authored) {
    if (!isParsed || !file.startsWith(`quickback/${folder}/`)) continue;
    const place = exported?.place ?? { file, line: 1, column: 1, length: 1 };
    const isDefined = exported?.kind === "defined" && exported.callee === callee;
    if (!isDefined) {
      if (!imported.has(file)) report.add("JOB_EXPORT", place, { file, folder, callee });
      continue;
    }
    const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
    const name = base.replace(/-([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || isObjectMember(name)) {
      report.add("JOB_NAME", place, { name: base });
      continue;
    }
    const other = found.get(name);
    if (other) {
      report.add("JOB_TWICE", place, { name: `${folder}.${name}`, other: other.module });
      continue;
    }
    const at: At = { path: callee, report };
    const definition = exported.value?.kind === "call" ? exported.value.args[0] : undefined;
    const fields = definition && readFields(definition, shape, at);
    if (fields) found.set(name, { name, module: file, fields });
    if (!definition) {
      report.add("ARGUMENTS", place, { callee, expected: `${callee}({ … })` });
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.name, b.name));
}

/** Returns the schedule; undefined if it is wrong, which is reported. */
function readSchedule(
  file: Pick<ScheduleModel, "name" | "module">,
  fields: Fields<(typeof SCHEDULE)["members"]>,
  jobs: readonly JobModel[],
): ScheduleModel | undefined {
  const cron = read(fields, "cron");
  const job = read(fields, "job");
  const zone = read(fields, "timeZone");
  const { at } = fields;
  const timeZone = zone?.text ?? "UTC";
  if (zone && !isTimeZone(timeZone)) {
    return invalidValue(
      { kind: "string", value: timeZone, place: zone.place },
      "a time zone of the IANA database, such as `Europe/Berlin`",
      below(at, "timeZone"),
    );
  }
  if (cron && !comes(cron.text, timeZone)) {
    at.report.add("SCHEDULE_CRON", cron.place, { cron: cron.text });
    return undefined;
  }
  const known = jobs.map(({ name }) => name);
  if (job && !known.includes(job.text)) {
    at.report.add("SCHEDULE_JOB", job.place, {
      name: job.text,
      form: null,
      nearest: nearest(job.text, known),
      known,
    });
    return undefined;
  }
  const input = readField(fields, "input", readJson) ?? {};
  const each = read(fields, "each") ?? null;
  const isAcross = jobs.some(({ name, unsafe }) => name === job?.text && unsafe?.crossTenant);
  if (each !== null && job && isAcross) {
    at.report.add("SCHEDULE_ACROSS", fields.entries.get("each")?.keyPlace ?? job.place, {
      name: job.text,
      each,
    });
  }
  return cron && job && { ...file, cron: cron.text, timeZone, job: job.text, input, each };
}

/**
 * Matches the parts that every implementation of cron supports: names of days and months, numbers, lists, ranges and steps
 * (definitions 6).
 */
const FIELD = /^[0-9A-Za-z*,/-]+$/;
const NAMES = /^(sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i;

/** True for a pattern of five fields that some point in time matches. */
function comes(cron: string, timeZone: string): boolean {
  const fields = cron.split(" ");
  const isPlain = fields.length === 5 &&
    fields.every((field) =>
      FIELD.test(field) && (field.match(/[A-Za-z]+/g) ?? []).every((word) => NAMES.test(word))
    );
  if (!isPlain) return false;
  try {
    // The start day is fixed, so that every compile gives the same result. A leap year is at most eight years away.
    const next = new Cron(cron, { paused: true, timezone: timeZone }).nextRun(START);
    return next !== null && next !== undefined;
  } catch (error) {
    // The library throws these for a pattern that it cannot read.
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

const START = new Date("2024-01-01T00:00:00Z");

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
