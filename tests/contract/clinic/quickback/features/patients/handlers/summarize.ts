import { ActionError, type ActionExecutor } from "quickback";
import { allergies, patients } from "../schema";
import { HTTPException } from "hono/http-exception";
import { NotReady } from "../actions/summarize";

export const execute: ActionExecutor = async ({ db, record, input, c }) => {
  const cyclic: Record<string, unknown> = { name: record.name };
  cyclic["self"] = cyclic;
  const deep = { a: [{ b: { email: record.email, list: [record.email, { number: record.number }] } }] };
  switch (input.how) {
    case "right":
      return { id: record.id };
    case "wrong":
      return { id: 5 };
    case "bigint":
      return { big: 9007199254740993n };
    case "date":
      return { at: new Date(0), bytes: new Uint8Array([1, 2]) };
    case "cyclic":
      return cyclic;
    case "undefined":
      return { kept: 1, gone: undefined };
    case "function":
      return () => 1;
    case "map":
      return new Map([["email", record.email]]);
    case "symbol":
      return Symbol("odd");
    case "null":
      return null;
    case "text":
      return record.email;
    case "renamed":
      return { contact: record.email, about: [record.email] };
    case "number":
      return NaN;
    case "list":
      return [record.email, 1, null];
    case "nested":
      return deep;
    case "proto":
      return JSON.parse('{"__proto__":{"email":"eve@example.com"},"constructor":1}');
    case "toJSON":
      return { toJSON: () => ({ email: record.email }) };
    case "response":
      return new Response("own", { status: 418 });
    case "ownError":
      return c.json({ error: "No" }, 400);
    case "httpError":
      throw new HTTPException(401, { message: "a secret" });
    case "throwText":
      throw "a secret";
    case "throwNull":
      throw null;
    case "throwObject":
      throw { message: "a secret", code: "X", statusCode: 400 };
    case "throwOdd":
      throw new ActionError("Odd", "ODD", 299);
    case "throwSecret":
      throw new NotReady();
    case "unique":
      return await db.insert(patients).values({ name: "Again", number: record.number });
    case "notNull":
      return await db.update(patients).set({ name: Object(null).nothing ?? null });
    case "reference":
      return await db.insert(allergies).values({ patientId: "pat_none", substance: "Nuts" });
    case "caught":
      try {
        await db.transaction((tx) =>
          tx.insert(patients).values({ name: "Again", number: record.number })
        );
      } catch {
        return { caught: true };
      }
  }
};
