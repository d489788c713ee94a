/** Runs an operator's command over the databases of organizations and returns its result (definitions 8). */
import type { ExportFiles, ExportPlace, TenantCommand, TenantReport } from "../../ports.ts";
import { type MoveOptions, moveTenant } from "./move_tenant.ts";
import * as commands from "./tenant_commands.ts";

interface CommandOptions extends commands.TenantAdminOptions {
  readonly files: ExportFiles;
  /** For moves: the places of databases, and the time that a move waits. */
  readonly moving?: Pick<MoveOptions, "store" | "timer">;
  /** Is told of long runs. */
  readonly progress: (done: number, all: number) => void;
}

export async function runTenantCommand(
  command: TenantCommand,
  options: CommandOptions,
): Promise<TenantReport> {
  const { files, progress } = options;
  switch (command.kind) {
    case "list": {
      const tenants = await commands.listTenants(options);
      const table = tenants.map((one) => [
        one.organizationId,
        one.name,
        one.status,
        one.migration ?? "none",
        one.place ?? "",
        one.failure ?? (one.isCurrent || one.status === "deleted" ? "" : "behind"),
      ]);
      const heads = ["organization", "database", "status", "migration", "place", ""];
      return { lines: tableLines([heads, ...table]), json: tenants, hasFailed: false };
    }
    case "migrate":
      return outcomes(await commands.migrateTenants(options, progress));
    case "export":
      return receipts("Exported", await exported(command, options));
    case "import":
      return receipts("Imported", [
        await usingExport(command.from, files, (place) => commands.importTenant(options, place)),
      ]);
    case "restore": {
      const { organizationId } = command;
      const path = await snapshotOf(command, options);
      return receipts(`Restored from ${path}:`, [
        await usingExport(
          path,
          files,
          (place) => commands.restoreTenant(options, organizationId, place),
        ),
      ]);
    }
    case "move": {
      const { moving } = options;
      if (!moving) throw new Error("Databases cannot be moved here: there is one place");
      const moved = await moveTenant(
        { ...options, ...moving },
        command.organizationId,
        command.to,
      );
      return receipts("Moved", [moved]);
    }
    case "delete": {
      const receipt = await commands.deleteTenant(options, command.organizationId);
      const at = new Date(options.clock.now()).toISOString();
      const report = receipts(`Deleted at ${at}:`, [receipt]);
      return { ...report, json: { at, deleted: receipt } };
    }
    case "split": {
      const source = await files.source(command.from);
      const split = commands.splitShared(options, source, progress);
      return outcomes(await split.finally(() => source.close()));
    }
  }
}

async function usingExport<T>(
  path: string,
  files: ExportFiles,
  body: (place: ExportPlace) => Promise<T>,
): Promise<T> {
  const place = await files.open(path);
  return await body(place).finally(() => place.database.close());
}

async function exported(
  { organizationId, to }: Extract<TenantCommand, { readonly kind: "export" }>,
  options: CommandOptions,
): Promise<readonly commands.TenantReceipt[]> {
  const write = (id: string, path: string) =>
    options.files.make(path, (place) => commands.exportTenant(options, id, place));
  if (organizationId !== null) return [await write(organizationId, to)];
  const time = stampOf(new Date(options.clock.now()).toISOString());
  const all = await commands.listTenants(options);
  const made: commands.TenantReceipt[] = [];
  for (const { organizationId: id, name, status } of all) {
    if (status === "ready") made.push(await write(id, `${to}/${name}.${time}.db`));
  }
  return made;
}

/** `20260131T102030Z`: sorts as it was made, on every file system. */
function stampOf(iso: string): string {
  return iso.replaceAll(/[-:]|\.\d+/g, "");
}

/** Returns the newest snapshot of the organization's database that is not younger than the time. */
async function snapshotOf(
  { organizationId, from, at }: Extract<TenantCommand, { readonly kind: "restore" }>,
  options: CommandOptions,
): Promise<string> {
  const tenant = (await commands.listTenants(options)).find((one) =>
    one.organizationId === organizationId
  );
  const limit = at === null ? "~" : stampOf(new Date(at).toISOString());
  const found = (await options.files.list(from)).filter((name) => {
    const [database, time = "", ending] = name.split(".");
    return database === tenant?.name && ending === "db" && time <= limit;
  }).toSorted().at(-1);
  if (found !== undefined) return `${from}/${found}`;
  throw new Error(
    `'${from}' has no export of organization '${organizationId}'${
      at === null ? "" : ` from before ${at}`
    }: ` +
      "tenant export --all --to <folder> makes them",
  );
}

function outcomes(all: readonly commands.TenantOutcome[]): TenantReport {
  const failed = all.filter(({ state }) => state === "failed");
  const count = (state: string) => all.filter((one) => one.state === state).length;
  return {
    lines: [
      ...tableLines(failed.map((one) => [one.organizationId, one.database, one.failure ?? ""])),
      `${count("done")} done, ${count("already")} were already, ${failed.length} failed`,
    ],
    json: all,
    hasFailed: failed.length > 0,
  };
}

function receipts(verb: string, all: readonly commands.TenantReceipt[]): TenantReport {
  const lines = all.flatMap(({ organizationId, database, tables, files }) => [
    `${verb} ${organizationId} (${database}), ${
      tables.reduce((sum, { rows }) => sum + rows, 0)
    } rows${files ? `, ${files.count} files of ${files.bytes} bytes` : ""}`,
    ...tableLines(
      tables.filter(({ rows }) => rows > 0).map((one) => [
        `  ${one.table}`,
        String(one.rows),
        one.hash,
      ]),
    ),
  ]);
  return { lines, json: all, hasFailed: false };
}

function tableLines(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, at) =>
    Math.max(...table.map((row) => (row[at] ?? "").length))
  );
  return table.map((row) =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ").trimEnd()
  );
}
