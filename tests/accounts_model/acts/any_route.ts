/** Every account route that no other act names, and links that a mail scanner fetches. */
import type { AuthOperation } from "../../../shared/surface/auth_operations.ts";
import { validObject } from "../../support/account_requests.ts";
import { seededRandom } from "../../support/random.ts";
import type { WalkedApi } from "../walked_api.ts";
import { AUTH, type World } from "../world.ts";
import { type Act, at } from "./act.ts";
import { sessionOf } from "./sign_in.ts";

/** Routes that other acts take, because more than their answer follows from them. */
export const NAMED: ReadonlySet<string> = new Set([
  "/sign-up/email",
  "/sign-in/email",
  "/sign-in/magic-link",
  "/sign-in/email-otp",
  "/sign-in/social",
  "/link-social",
  "/callback/:id",
  "/magic-link/verify",
  "/email-otp/send-verification-otp",
  "/request-password-reset",
  "/reset-password",
  "/change-password",
  "/change-email",
  "/verify-email",
  "/delete-user",
  "/delete-user/callback",
  "/sign-out",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  "/two-factor/generate-backup-codes",
  "/organization/create",
  "/organization/delete",
  "/organization/invite-member",
  "/organization/accept-invitation",
  "/organization/remove-member",
  "/organization/leave",
  "/organization/update-member-role",
]);

/** Every other route, whoever adds it. */
export function unnamedRoutes({ routes }: WalkedApi): readonly AuthOperation[] {
  return routes.filter(({ path }) => !NAMED.has(path));
}

async function askRoute(
  world: World,
  operation: AuthOperation,
  { who, first, any }: Parameters<Act["run"]>[1],
): Promise<void> {
  const session = await sessionOf(world, who, first);
  if (!session) return;
  const known = Object.fromEntries(world.seen.get(who) ?? []);
  const random = seededRandom(any * 1000 + world.now());
  const query = new URLSearchParams(
    Object.entries(validObject(operation.parameters, known, random)).map((
      [name, value],
    ) => [name, String(value)]),
  );
  const path = operation.path.replace(
    /:\w+/,
    encodeURIComponent(at(known["token"] ?? [], 0) ?? "x"),
  );
  const body = operation.body === null ? {} : { body: validObject(operation.body, known, random) };
  const before = operation.method === "GET" ? await world.api.contents() : null;
  const heard = await world.askAs(
    session,
    `${AUTH}${path}${query.size > 0 ? `?${query}` : ""}`,
    body,
  );
  world.tell(
    `the ${who}, as ${session.account.address}, asks ${operation.method} ${operation.path} ${
      JSON.stringify("body" in body ? body.body : {})
    }`,
    heard.status,
  );
  const isRefused = heard.status >= 400;
  if (operation.role?.kind === "platform" && !isRefused) {
    world.violate(`The ${who} may ${operation.method} ${operation.path}`);
  }
  if (before !== null && before !== await world.api.contents()) {
    world.violate(`GET ${operation.path} changed something`);
  }
  world.done.add(`asks: ${operation.path}`);
}

/** Fetches a link as a scanner does, and as a reader who does not press the button. */
async function scan(world: World, place: number): Promise<void> {
  const mail = at(world.mails.filter(({ link }) => link !== null).toReversed(), place);
  if (!mail) return;
  const link = mail.link ?? "";
  world.tell(`a scanner fetches the ${mail.kind} that was mailed to ${mail.to}`);
  for (const method of ["HEAD", "GET"]) {
    const before = await world.api.contents();
    const heard = await world.ask(link, { method });
    if (before !== await world.api.contents()) {
      world.violate(`${method} of the ${mail.kind} mailed to ${mail.to} changed something`);
    }
    if (heard.headers.getSetCookie().length > 0) {
      world.violate(`${method} of the ${mail.kind} mailed to ${mail.to} set a cookie`);
    }
  }
  world.done.add(`fetches: ${mail.kind}`);
}

export const ANY_ROUTE_ACTS: Readonly<Record<string, Act>> = {
  "fetch a mailed link": {
    subjects: ["every walk"],
    run: (world, { first }) => scan(world, first),
  },
  "ask any route": {
    subjects: ["any route"],
    who: ["stranger", "owner", "other stranger"],
    run: async (world, turn) => {
      const routes = unnamedRoutes(world.api);
      for (const place of [turn.any, turn.any + 7, turn.any + 31]) {
        const operation = at(routes, place);
        if (operation) await askRoute(world, operation, turn);
      }
    },
  },
};
