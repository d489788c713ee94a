/** Describes routes of passkeys, for projects that have them (definitions 2, `passkeys`). */
import { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";

const { name, token } = members.MEMBER;

const id = token.meta({ description: "Id of the passkey.", examples: ["<id>"] });

/** Schema of a response as a browser's `toJSON()` writes it (WebAuthn 3, 5.1). */
const response = z.looseObject({
  id: z.string().min(1).max(2048),
  rawId: z.string().min(1).max(2048),
  type: z.literal("public-key"),
  response: z.record(z.string(), z.unknown()),
}).describe("What the device answered, as `toJSON()` of the browser writes it.");

const OPTIONS: JsonSchema = answers.object([], {
  challenge: described("To be signed by the device.", { type: "string" }),
});

const PASSKEY: JsonSchema = answers.object(["id", "userId", "createdAt"], {
  name: answers.nullable("name"),
  deviceType: described("Whether it leaves its device.", { type: "string" }),
});

export const PASSKEY_OPERATIONS: readonly op.AuthOperation[] = [
  op.read({
    id: "authBeginPasskey",
    path: "/passkey/generate-register-options",
    isRepeatable: false,
    withheld: ["context"],
    summary: "Begin to make a passkey: what the browser's `credentials.create` takes",
    parameters: z.object({
      authenticatorAttachment: z.enum(["platform", "cross-platform"])
        .describe("Kind of device.").optional(),
      name: name.optional(),
    }),
  }, OPTIONS),
  op.write({
    id: "authRegisterPasskey",
    path: "/passkey/verify-registration",
    withheld: ["createSession"],
    summary: "Keep the passkey that the device made, for an account whose address is confirmed",
    takes: { response, name: name.optional() },
    bodyExample: {
      response: { id: "<id>", rawId: "<id>", type: "public-key", response: {} },
    },
  }, PASSKEY),
  op.read({
    who: "unasked",
    id: "authBeginPasskeySignIn",
    path: "/passkey/generate-authenticate-options",
    isRepeatable: false,
    challenges: [{ by: "passkey", member: null, of: "proof" }],
    summary: "Begin to sign in by a passkey: what the browser's `credentials.get` takes",
  }, OPTIONS),
  op.write(
    {
      who: "unasked",
      id: "authSignInPasskey",
      path: "/passkey/verify-authentication",
      challenges: [{ by: "passkey", member: "response", of: "proof" }],
      signsIn: "whole",
      summary: "Sign in with what the device signed; it counts as both factors",
      takes: { response },
      bodyExample: {
        response: { id: "<id>", rawId: "<id>", type: "public-key", response: {} },
      },
    },
    answers.object([], {
      session: described("The session.", answers.SESSION),
      user: described("The account.", answers.USER),
    }),
  ),
  op.read({
    id: "authListPasskeys",
    path: "/passkey/list-user-passkeys",
    summary: "List the caller's passkeys",
  }, answers.listOf("The passkeys.", PASSKEY)),
  op.write({
    id: "authUpdatePasskey",
    path: "/passkey/update-passkey",
    summary: "Rename a passkey",
    takes: { id, name },
    bodyExample: { id: "<id>", name: "Phone" },
  }, answers.object([], { passkey: described("The passkey.", PASSKEY) })),
  op.write({
    id: "authDeletePasskey",
    path: "/passkey/delete-passkey",
    summary: "Take a passkey back",
    takes: { id },
    bodyExample: { id: "<id>" },
  }, answers.STATUS),
];
