/** Adds completion, hovers and signatures of the language service to the editor, with their keys. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
  type TooltipView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { element } from "./dom.ts";
import type { Described, Signature } from "./language/language.ts";
import type { LanguageClient } from "./language_client.ts";

export interface LanguageActions {
  readonly goToDefinition: () => void;
  readonly rename: () => void;
  readonly format: () => void;
  readonly fix: () => void;
}

export function languageExtensions(
  client: LanguageClient,
  path: string,
  actions: LanguageActions,
): Extension {
  return [
    autocompletion({
      override: [completionSource(client, path)],
      activateOnTypingDelay: COMPLETION_MILLISECONDS,
      icons: false,
    }),
    hoverTooltip(async (view, at) => {
      const found = await client.language?.hover({ path, at });
      return found
        ? {
          pos: Math.min(found.from, view.state.doc.length),
          end: Math.min(found.to, view.state.doc.length),
          above: true,
          create: () => ({ dom: describedView(found) }),
        }
        : null;
    }, { hoverTime: 250 }),
    signatureHelp(client, path),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (!(event.ctrlKey || event.metaKey) || at === null) return false;
        event.preventDefault();
        view.dispatch({ selection: { anchor: at } });
        actions.goToDefinition();
        return true;
      },
    }),
    keymap.of([
      { key: "F12", run: () => done(actions.goToDefinition) },
      { key: "F2", run: () => done(actions.rename) },
      { key: "Shift-Alt-f", run: () => done(actions.format) },
      { key: "Mod-.", run: () => done(actions.fix) },
    ]),
  ];
}

function done(action: () => void): boolean {
  action();
  return true;
}

/** Letters that follow each other faster than this cause only one request. */
const COMPLETION_MILLISECONDS = 20;

/** Matches the start of a name, a member, a text or a path; after anything else nothing is completed. */
const BEFORE = /[\w$]+$|[.'"/@]$/;

function completionSource(client: LanguageClient, path: string) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { pos: at, explicit } = context;
    if (!explicit && context.matchBefore(BEFORE) === null) return null;
    const found = await client.language?.completions({ path, at });
    if (!found || context.aborted) return null;
    return {
      from: found.from,
      validFor: /^[\w$]*$/,
      options: found.options.map(({ label, kind, insert, rank }): Completion => ({
        label,
        detail: kind,
        ...(insert === null ? {} : { apply: insert }),
        boost: Math.max(-99, 20 - rank),
        info: async () => {
          const about = await client.language?.describe({ path, at }, label);
          return about ? { dom: describedView(about) } : null;
        },
      })),
    };
  };
}

function describedView({ signature, text }: Described): HTMLElement {
  return element(
    "div",
    { class: "described" },
    element("pre", { class: "described-code" }, signature),
    text === "" ? null : element("p", { class: "described-text" }, text),
  );
}

const setSignature = StateEffect.define<Signature | null>();

const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update: (tooltip, { effects, state, docChanged, selection }) => {
    const { head } = state.selection.main;
    for (const effect of effects) {
      if (!effect.is(setSignature)) continue;
      const signature = effect.value;
      return signature && { pos: head, above: true, create: () => signatureView(signature) };
    }
    return tooltip && (docChanged || selection) ? { ...tooltip, pos: head } : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

function signatureView({ before, parameters, after, active, text }: Signature): TooltipView {
  const listed = parameters.flatMap((parameter, index) => [
    index === 0 ? "" : ", ",
    index === active ? element("strong", {}, parameter) : parameter,
  ]);
  return {
    dom: element(
      "div",
      { class: "described signature" },
      element("pre", { class: "described-code" }, before, ...listed, after),
      text === "" ? null : element("p", { class: "described-text" }, text),
    ),
  };
}

/** Shows the signature after a bracket or a comma. It closes when the cursor leaves the call, or with Escape. */
function signatureHelp(client: LanguageClient, path: string): Extension {
  const follow = ViewPlugin.define((view) => {
    let turn = 0;
    const ask = async () => {
      const own = ++turn;
      // The service receives the edit after the extensions do.
      await null;
      const { head } = view.state.selection.main;
      const found = await client.language?.signature({ path, at: head }) ?? null;
      if (own !== turn) return;
      view.dispatch({ effects: setSignature.of(found) });
    };
    return {
      update: (update) => {
        const isOpen = update.state.field(signatureField) !== null;
        const hasMoved = update.docChanged || update.selectionSet;
        if (typed(update) || isOpen && hasMoved) void ask();
      },
      // A pending answer belongs to the file that was closed.
      destroy: () => void turn++,
    };
  });
  const close = keymap.of([{
    key: "Escape",
    run: (view) => {
      if (view.state.field(signatureField) === null) return false;
      view.dispatch({ effects: setSignature.of(null) });
      return true;
    },
  }]);
  return [signatureField, follow, close];
}

function typed({ docChanged, transactions, state }: ViewUpdate): boolean {
  if (!docChanged || !transactions.some((one) => one.isUserEvent("input.type"))) return false;
  const { head } = state.selection.main;
  return /[(,]/.test(state.sliceDoc(Math.max(0, head - 1), head));
}
