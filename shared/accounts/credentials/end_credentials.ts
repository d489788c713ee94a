/** Runs an event over the records of all credentials (docs/decisions/accounts.md, "Proofs and credentials"). */
import type { Answer, CredentialKind, EventScene } from "./credential.ts";
import { CREDENTIALS } from "./credentials.ts";
import type { AccountEvent, EventSubjects } from "./events.ts";

/** Number of ended credentials by kind. Kinds without any are left out. */
export type Ended = ReadonlyMap<CredentialKind, number>;

/** Ends all credentials that an event ends, in the scene's transaction. */
export async function endCredentials<Event extends AccountEvent>(
  scene: EventScene,
  event: Event,
  subject: EventSubjects[Event],
): Promise<Ended> {
  const ended = new Map<CredentialKind, number>();
  for (const kind of KINDS) {
    const answer: Answer<EventSubjects[Event]> = CREDENTIALS[kind].on[event];
    if (typeof answer === "string") continue;
    const count = await ("ends" in answer ? answer.ends : answer.narrows)(scene, subject);
    if ("ends" in answer && count > 0) ended.set(kind, count);
  }
  await releaseMember(scene, event, subject);
  await scene.record?.(scene.transaction, event, subject, ended);
  return ended;
}

const KINDS = Object.keys(CREDENTIALS).filter((kind): kind is CredentialKind =>
  Object.hasOwn(CREDENTIALS, kind)
);

/** Events after which rows let go of the account: of a member who left, or of somebody whom nothing can keep. */
const RELEASING: Readonly<Partial<Record<AccountEvent, "left" | "gone">>> = {
  membershipEnd: "left",
  takeOver: "gone",
  ban: "gone",
  accountDeletion: "gone",
};

async function releaseMember<Event extends AccountEvent>(
  { members, transaction, actor }: EventScene,
  event: Event,
  subject: EventSubjects[Event],
): Promise<void> {
  const how = RELEASING[event];
  if (members === null || how === undefined || !("userId" in subject)) return;
  await members.release(transaction, {
    userId: subject.userId,
    organizationId: "organizationId" in subject ? subject.organizationId : null,
    isGone: how === "gone",
    by: actor,
  });
}
