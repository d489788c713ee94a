/** Commands of the page, by name and by key. */
import type { Choice } from "./palette.ts";

interface Command extends Choice {
  /** Keys such as `mod+shift+p` that the page itself listens for. The editor listens for its own keys. */
  readonly keys: readonly string[];
}

const COMMANDS = [
  { name: "save", title: "Save and run", about: "Ctrl S", keys: ["mod+s"] },
  { name: "find", title: "Find a file, or a line of one", about: "Ctrl P", keys: ["mod+p"] },
  { name: "search", title: "Search in this file", about: "Ctrl F", keys: [] },
  { name: "define", title: "Go to definition", about: "F12", keys: [] },
  { name: "rename", title: "Rename in all files", about: "F2", keys: [] },
  { name: "fix", title: "Correct what is wrong here", about: "Ctrl .", keys: [] },
  { name: "format", title: "Format this file", about: "Shift Alt F", keys: [] },
  { name: "wrap", title: "Wrap long lines, or not", about: "Alt Z", keys: ["alt+z"] },
  {
    name: "split",
    title: "Two editors side by side, or one",
    about: "Ctrl \\",
    keys: ["mod+\\"],
  },
  { name: "other", title: "Go to the other editor", about: "Alt \\", keys: ["alt+\\"] },
  { name: "create", title: "New definition", about: "", keys: [] },
  { name: "commands", title: "Run a command", about: "F1", keys: ["f1", "mod+shift+p"] },
] as const;

type CommandName = typeof COMMANDS[number]["name"];

export function commandsOf(
  acts: Readonly<Record<CommandName, () => unknown>>,
): readonly Command[] {
  return COMMANDS.map(({ name, ...command }) => ({ ...command, run: () => void acts[name]() }));
}

/** Returns the command of the pressed key. */
export function commandOf(
  { ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent,
  commands: readonly Command[],
): Command | undefined {
  const mod = ctrlKey || metaKey ? "mod+" : "";
  const pressed = `${mod}${altKey ? "alt+" : ""}${shiftKey ? "shift+" : ""}${key.toLowerCase()}`;
  return commands.find(({ keys }) => keys.includes(pressed));
}
