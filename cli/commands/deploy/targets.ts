/** Deployment targets, each with its steps (docs/guides). */

export interface Deployment {
  /** Name in lower-case letters, digits and hyphens, which every target accepts. */
  readonly name: string;
  /** Absolute path without control characters. */
  readonly folder: string;
  /** Program that the server runs. */
  readonly deno: string;
  /** User who deploys, as whom the server runs. */
  readonly user: string;
}

export type Step =
  | { readonly kind: "run"; readonly command: readonly string[] }
  /** Path relative to the output. */
  | { readonly kind: "write"; readonly path: string; readonly text: string };

interface Target {
  /** Files that must exist, besides those that every deployment needs. */
  readonly needs: readonly string[];
  /** Steps that only a person can do, before the others. */
  readonly before: readonly string[];
  readonly steps: (deployment: Deployment) => readonly Step[];
}

/** Matches a deployment's name: a label of a host name (RFC 1123, 2.1). */
export const DEPLOYMENT_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const run = (...command: readonly string[]): Step => ({ kind: "run", command });
/** Makes a step of a shell line in which `$1` is the name. */
const shell = (line: string, name: string): Step => run("sh", "-c", line, "sh", name);
const write = (path: string, text: string): Step => ({ kind: "write", path, text });

const SERVER_DATABASE =
  "The place keeps no file: DATABASE_URL must be a libSQL server, as in libsql://…";

export const TARGETS: ReadonlyMap<string, Target> = new Map<string, Target>([
  ["docker", {
    needs: ["Dockerfile"],
    before: [],
    steps: ({ name }) => [
      run("docker", "build", "--tag", name, "."),
      // The container of the previous deployment is removed.
      ...["stop", "rm"].map((verb) =>
        shell(`docker ps -aq --filter "name=^$1$" | xargs -r docker ${verb}`, name)
      ),
      run(
        "docker",
        "run",
        "--detach",
        "--restart=unless-stopped",
        `--name=${name}`,
        "--publish=8000:8000",
        `--volume=${name}-data:/data`,
        "--env-file=.env",
        "--stop-timeout=20",
        name,
      ),
    ],
  }],
  ["fly", {
    needs: ["Dockerfile"],
    before: ["Sign in once: fly auth login"],
    steps: ({ name }) => [
      write("fly.toml", flyConfig(name)),
      shell(
        'fly status --app "$1" || ' +
          '(fly apps create "$1" && fly volumes create data --app "$1" --size 1 --yes)',
        name,
      ),
      // An empty secret would override the value in fly.toml.
      shell('grep -E "^[A-Z0-9_]+=." .env | fly secrets import --stage --app "$1"', name),
      run("fly", "deploy"),
    ],
  }],
  ["deno-deploy", {
    needs: [],
    before: ["Make an app once: deno deploy create", SERVER_DATABASE],
    steps: ({ name }) => [
      run("deno", "deploy", "env", "load", ".env", "--app", name),
      run("deno", "deploy", "--app", name, "--prod"),
    ],
  }],
  ["cloudflare", {
    needs: ["src/worker.ts", "wrangler.toml"],
    before: ["Sign in once: npx wrangler login", SERVER_DATABASE],
    steps: () => [
      run("deno", "task", "migrate"),
      run("npx", "wrangler", "secret", "bulk", ".env"),
      run("npx", "wrangler", "deploy"),
    ],
  }],
  ["systemd", {
    needs: [],
    before: ["On the server itself, with the output where it is to stay"],
    steps: (deployment) => {
      const unit = `${deployment.name}.service`;
      return [
        write(unit, systemdUnit(deployment)),
        run("sudo", "install", "--mode=644", unit, `/etc/systemd/system/${unit}`),
        run("sudo", "systemctl", "daemon-reload"),
        run("sudo", "systemctl", "enable", unit),
        run("sudo", "systemctl", "restart", unit),
      ];
    },
  }],
]);

function flyConfig(name: string): string {
  return `app = "${name}"
kill_signal = "SIGTERM"
kill_timeout = "20s"

[env]
APP_ENV = "production"
PORT = "8000"
DATABASE_URL = "file:/data/app.db"
CLIENT_IP_HEADER = "fly-client-ip"

[mounts]
source = "data"
destination = "/data"

[http_service]
internal_port = 8000
force_https = true
auto_stop_machines = "off"

[[http_service.checks]]
method = "GET"
path = "/health"
interval = "15s"
timeout = "5s"
`;
}

/**
 * Writes the systemd unit. The database's file is below the folder, so there is one instance; it has 20 seconds to stop. In
 * systemd, `%` begins a specifier, and `$` in a command begins a variable.
 */
function systemdUnit({ name, folder, deno, user }: Deployment): string {
  const unitText = (text: string) => text.replaceAll("%", "%%");
  const unitWord = (text: string) =>
    `"${unitText(text).replace(/["\\]/g, "\\$&").replaceAll("$", "$$$$")}"`;
  return `[Unit]
Description=${name}
After=network-online.target
Wants=network-online.target

[Service]
User=${unitText(user)}
WorkingDirectory=${unitText(folder)}
Environment=APP_ENV=production
ExecStart=${unitWord(deno)} task start
Restart=always
KillSignal=SIGTERM
TimeoutStopSec=20
NoNewPrivileges=true
PrivateTmp=true

[Install]
WantedBy=multi-user.target
`;
}
