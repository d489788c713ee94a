/** One run of the service's own job: requests the vector of one row from the embeddings service (definitions 3). */
import { z } from "zod";
import { vectorDigits, vectorWords } from "../../column_types/mod.ts";
import type { ProjectModel } from "../../model/mod.ts";
import { madeVectorsOf } from "../../surface/mod.ts";
import { selectTexts, storeVector } from "../data/embeddings.ts";
import type { JobRow } from "../data/job_runs.ts";
import type { Database, Embeddings, Transaction } from "../ports.ts";

const INPUT = z.object({ table: z.string(), id: z.union([z.string(), z.number()]) });

/** Most characters of a row's texts that are sent, which is more than any model reads. */
const TEXT_MAX_LENGTH = 50_000;

/** Makes the vector. `finish` marks the job as done in the transaction that writes it. Throws the job's error. */
export async function embedRow(
  job: JobRow,
  { project, database, embeddings }: {
    readonly project: ProjectModel;
    readonly database: Database;
    readonly embeddings: Embeddings | undefined;
  },
  finish: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const { table, id } = INPUT.parse(JSON.parse(job.input));
  const vector = madeVectorsOf(project).find((one) => one.table.name === table);
  if (!vector) throw new Error(`Table "${table}" has no vector in this version of the API`);
  const row = { vector, id, organizationId: job.organizationId };
  const texts = await selectTexts(database, row);
  if (texts === null) return await database.write(finish);
  if (!embeddings) throw new Error("No embeddings service is set: EMBEDDINGS_URL names one");
  const text = texts.filter((one) => typeof one === "string" && one !== "").join("\n\n");
  const numbers = await embeddings.embed([...text].slice(0, TEXT_MAX_LENGTH).join(""));
  const digits = vectorDigits(vector.type, numbers);
  if (digits === undefined) {
    throw new Error(
      `The embeddings service answered ${numbers.length} numbers, not ${vectorWords(vector.type)}`,
    );
  }
  await database.write(async (transaction) => {
    await finish(transaction);
    await storeVector(transaction, { ...row, texts, digits });
  });
}
