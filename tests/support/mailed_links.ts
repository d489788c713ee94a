/** One link of every kind that accounts mail, and what shows that it was followed: a new kind does not type-check without it. */
import type { LinkedMail } from "../../shared/model/email.ts";
import type { SqlValue } from "../../shared/runtime/ports.ts";
import { linkIn, ok, type SignInBrowser, type SignInScene } from "./sign_in.ts";

export const EMAIL = "anna@example.com";
export const LINK_PASSWORD = "correct horse battery staple";
export const CHOSEN_PASSWORD = "another horse battery staple";

export interface LinkScene extends SignInScene {
  /** Who has the account that links are for. */
  readonly anna: SignInBrowser;
  /** Somebody with an account of their own, who founded an organization. */
  readonly ben: SignInBrowser;
}

export interface LinkKind {
  /** Has the message sent, and answers its link. */
  readonly asked: (scene: LinkScene) => Promise<URL>;
  /** What is sent beside the token, without a session. */
  readonly sent: Readonly<Record<string, string>>;
  /** Program that follows it: one without a session, where the link does not ask for one. */
  readonly follower: (scene: LinkScene) => SignInBrowser;
  /** True: without it nobody follows this link, but the account's own session. */
  readonly needsAccount: boolean;
}

/** The scene's accounts: Anna's is not confirmed, Ben's has an organization. */
export async function linkScene(scene: SignInScene): Promise<LinkScene> {
  const [anna, ben] = [scene.browser(), scene.browser()];
  const account = (name: string, email: string) => ({ name, email, password: LINK_PASSWORD });
  ok(await anna.client.signUp.email(account("Anna", EMAIL)));
  ok(await ben.client.signUp.email(account("Ben", "ben@example.com")));
  ok(await ben.client.organization.create({ name: "Acme", slug: "acme" }));
  return { ...scene, anna, ben };
}

async function asking(
  { anna, sent }: LinkScene,
  path: string,
  body: Readonly<Record<string, string>> = {},
): Promise<URL> {
  const answer = await anna.ask(`/auth/v1${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return linkIn(sent);
}

const anybody = ({ browser }: LinkScene) => browser();

export const LINK_KINDS: Readonly<Record<LinkedMail, LinkKind>> = {
  invitation: {
    async asked(scene) {
      const invited = { email: EMAIL, role: "member" as const };
      ok(await scene.ben.client.organization.inviteMember(invited));
      return linkIn(scene.sent);
    },
    sent: { password: LINK_PASSWORD },
    follower: ({ anna }) => anna,
    needsAccount: true,
  },
  verifyEmail: {
    asked: (scene) => asking(scene, "/send-verification-email", { email: EMAIL }),
    sent: { password: LINK_PASSWORD },
    follower: anybody,
    needsAccount: true,
  },
  resetPassword: {
    asked: (scene) => asking(scene, "/request-password-reset", { email: EMAIL }),
    sent: { newPassword: CHOSEN_PASSWORD },
    follower: anybody,
    needsAccount: false,
  },
  changeEmail: {
    asked: (scene) => asking(scene, "/change-email", { newEmail: "anna@new.example" }),
    sent: { password: LINK_PASSWORD },
    follower: anybody,
    needsAccount: true,
  },
  deleteAccount: {
    asked: (scene) => asking(scene, "/delete-user"),
    sent: { password: LINK_PASSWORD },
    follower: anybody,
    needsAccount: true,
  },
  magicLink: {
    asked: (scene) => asking(scene, "/sign-in/magic-link", { email: EMAIL }),
    sent: {},
    follower: anybody,
    needsAccount: false,
  },
};

/** All that accounts keep, so that two times can be compared. */
export async function accountRows({ api }: SignInScene): Promise<string> {
  const { rows: tables } = await api.database.run({
    sql: `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'table' AND "name" LIKE 'auth_%'
      ORDER BY "name"`,
    args: [],
  });
  const kept: (readonly (readonly SqlValue[])[])[] = [];
  for (const [table] of tables) {
    const sql = `SELECT * FROM "${String(table)}" ORDER BY "id"`;
    kept.push((await api.database.run({ sql, args: [] })).rows);
  }
  return JSON.stringify(kept);
}
