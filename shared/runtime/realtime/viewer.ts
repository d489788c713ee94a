/**
 * One subscriber's view of a message (contract 6.3): exactly what their own read would show, judged by the functions of
 * reads. Everything that can be known of a caller without a row is settled once.
 */
import type { Principal } from "../../model/principal.ts";
import type { SignalModel } from "../../model/realtime.ts";
import { admissionOf, holdsRole, type RowRule } from "../../surface/admission.ts";
import { FRAME_TYPES, makesFrames, type RealtimeResource } from "../../surface/realtime.ts";
import { isVisible, recordOfRow } from "../data/record_plan.ts";
import { type Firewall, firewallFor } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import type { Message } from "./message.ts";

/** Resources and signals that a project publishes. */
export interface RealtimeCatalog {
  readonly resources: readonly RealtimeResource[];
  readonly signals: readonly SignalModel[];
}

export interface Viewer {
  readonly principal: Principal;
  readonly views: ReadonlyMap<string, View>;
  readonly signals: ReadonlyMap<string, SignalModel>;
}

interface View {
  readonly told: RealtimeResource;
  readonly firewall: Firewall;
  /** The row's rule beside the firewall; null: none. */
  readonly rule: RowRule | null;
}

/** `wanted` are names of resources and signals; null: all of them. */
export function viewerOf(
  principal: Principal,
  { resources, signals }: RealtimeCatalog,
  wanted: ReadonlySet<string> | null,
): Viewer {
  const isWanted = (name: string) => wanted === null || wanted.has(name);
  const views = resources.flatMap((told): (readonly [string, View])[] => {
    const { name } = told.resource;
    const view = isWanted(name) ? viewOf(principal, told) : null;
    return view ? [[name, view]] : [];
  });
  const heard = signals.filter(({ name, roles }) => isWanted(name) && holdsAny(principal, roles));
  return {
    principal,
    views: new Map(views),
    signals: new Map(heard.map((signal) => [signal.name, signal])),
  };
}

/** Null: nothing of the resource is theirs to read. */
function viewOf(principal: Principal, told: RealtimeResource): View | null {
  const admission = admissionOf(told.read.access, principal);
  if (admission.kind === "refused" || !holdsAny(principal, told.realtime.roles)) return null;
  const { organizationId } = principal;
  const firewall = firewallFor(told.table, { principal, organizationId });
  return { told, firewall, rule: admission.kind === "conditional" ? admission.rule : null };
}

/** Null asks for nothing; an empty list admits nobody. */
function holdsAny(principal: Principal, roles: readonly string[] | null): boolean {
  return roles === null || roles.some((role) => holdsRole(principal, role));
}

/** Frame of a message for this subscriber, as JSON text; null: none. */
export function frameFor(message: Message, viewer: Viewer): string | null {
  switch (message.kind) {
    case "row": {
      // One that leaves a subscriber's sight is gone for them, whatever became of it: they get its id and nothing else.
      const view = viewer.views.get(message.resource);
      if (!view || !makesFrames(message.change, view.told.realtime)) return null;
      const { told: { resource, realtime }, firewall, rule } = view;
      const { before, after, change, id, at } = message;
      const sees = change !== "delete" && after !== null && isVisible(after, rule, firewall);
      const common = { resource: message.resource, id, at };
      if (sees) {
        const data = recordOfRow(after, { resource, columns: realtime.fields, firewall });
        return frame(FRAME_TYPES[change], { ...common, data });
      }
      const saw = before !== null && isVisible(before, rule, firewall);
      return saw ? frame(FRAME_TYPES.delete, common) : null;
    }
    case "crowd":
      return viewer.views.has(message.resource)
        ? frame(FRAME_TYPES.resync, { resource: message.resource, at: message.at })
        : null;
    case "lost":
      return JSON.stringify({ type: FRAME_TYPES.resync, at: message.at });
    case "signal":
      return isAddressed(message, viewer)
        ? frame(FRAME_TYPES.signal, {
          resource: message.signal,
          data: JSON.stringify(message.data),
          at: message.at,
        })
        : null;
  }
}

interface Parts {
  readonly resource: string;
  readonly id?: SqlValue;
  /** As JSON text. */
  readonly data?: string;
  readonly at: string;
}

function frame(type: string, { resource, id, data, at }: Parts): string {
  const members = [
    `"type":${JSON.stringify(type)}`,
    `"resource":${JSON.stringify(resource)}`,
    ...(id === undefined ? [] : [`"id":${typeof id === "bigint" ? id : JSON.stringify(id)}`]),
    ...(data === undefined ? [] : [`"data":${data}`]),
    `"at":${JSON.stringify(at)}`,
  ];
  return `{${members.join(",")}}`;
}

type SignalMessage = Extract<Message, { readonly kind: "signal" }>;

/** Scope, roles and recipients together (contract 6.3). */
function isAddressed(
  { signal: name, scope, recipients }: SignalMessage,
  { principal, signals }: Viewer,
): boolean {
  const signal = signals.get(name);
  if (!signal) return false;
  const { organizationId: organization, teamId: team, userId: user } = principal;
  const isInScope = signal.scope === "all"
    ? scope === null
    : scope !== null && scope === { organization, team, user }[signal.scope];
  if (!isInScope) return false;
  return recipients === null ||
    (principal.userId !== null && recipients.includes(principal.userId));
}
