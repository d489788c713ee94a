/**
 * Defines the bodies of `presign`, and of the confirmation of an upload (contract 4.7, definitions 3). The runtime and OpenAPI
 * share these schemas.
 */
import { z } from "zod";
import type { FileType } from "../../column_types/mod.ts";
import { MEDIA_SUBTYPE, MEDIA_TYPE, PRESIGN_EXPIRES } from "../../contract/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import type { PresignedMethod } from "../file_operations.ts";
import { closed } from "./json_schema.ts";

const expiresIn = z.int(`Must be a whole number of seconds`)
  .min(1, "Must be at least 1")
  .max(PRESIGN_EXPIRES.max, `Must be at most ${PRESIGN_EXPIRES.max}`)
  .meta({
    description: `Seconds for which the address is good; left out: ${PRESIGN_EXPIRES.default}.`,
  })
  .optional();

const reading = z.strictObject({
  method: z.literal("GET").meta({ description: "To read the file." }),
  expiresIn,
});

/** Body for reading one file of a column with several. */
const readingOne = reading.extend({
  id: z.string("Must be the id of a file").meta({ description: "Id of the file." }),
});

/** Returns the body for writing a file that the column accepts. */
const writing = ({ maxSize, types }: FileType) =>
  z.strictObject({
    method: z.literal("PUT").meta({ description: "To send one." }),
    name: z.string("Must be a string")
      .meta({ description: "Name of the file; left out: the column's." })
      .optional(),
    size: z.int("Must be a whole number of bytes").min(0, "Must not be negative")
      .max(maxSize, `Must be at most ${maxSize}`)
      .meta({ description: "Bytes, all of which must come." }),
    type: z.string("Must be a media type").max(255, "Must be at most 255 characters").regex(
      new RegExp(typePattern(types)),
      types === null ? "Must be a media type without parameters" : `Must be ${types.join(", ")}`,
    ).meta({ description: "Media type without parameters." }),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 digits of lower-case hex")
      .meta({ description: "Digest of the bytes, if they are to be held against it." })
      .optional(),
    expiresIn,
  });

/** Returns the pattern of one of these media types; null: of any type. */
function typePattern(types: readonly string[] | null): string {
  if (types === null) return MEDIA_TYPE.source;
  const one = types.map((type) =>
    type.replaceAll(/[.+^$|{}]/g, "\\$&").replace("*", MEDIA_SUBTYPE)
  );
  return `^(?:${one.join("|")})$`;
}

export type PresignBody =
  | z.infer<typeof reading> & { readonly id?: string }
  | z.infer<ReturnType<typeof writing>>;

/** Returns the bodies by the method of the presigned address. */
export function presignBodies(type: FileType) {
  return { GET: type.maxItems === undefined ? reading : readingOne, PUT: writing(type) } as const;
}

/** Returns the body for at least one method. */
export function presignBody(
  methods: readonly PresignedMethod[],
  type: FileType,
): z.ZodType<PresignBody> {
  const { GET, PUT } = presignBodies(type);
  if (!methods.includes("PUT")) return GET;
  if (!methods.includes("GET")) return PUT;
  return z.discriminatedUnion("method", [GET, PUT], "Must be GET or PUT");
}

export const uploadBody = z.strictObject({
  upload: z.string("Must be the text that came with the address")
    .meta({ description: "The text that came with the address to which the file was sent." }),
});

export const PRESIGNED: JsonSchema = {
  ...closed({
    url: { type: "string", format: "uri", description: "Address of the bytes." },
    method: { type: "string", enum: ["GET", "PUT"], description: "Method of the request." },
    headers: {
      type: "object",
      description: "Headers to be sent with it.",
      additionalProperties: { type: "string" },
    },
    expiresAt: {
      type: "string",
      format: "date-time",
      description: "When the address is good no more.",
    },
    upload: {
      type: "string",
      description: "Confirms the upload, by a `PUT` of `{ upload }` to the column's own route.",
    },
  }),
  required: ["url", "method", "headers", "expiresAt"],
};
