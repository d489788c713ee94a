/** Delegated principals in the configuration and in rules (contract 5.6, definitions 2). */
import { assertEquals } from "@std/assert";
import {
  type Analyzed,
  analyzedProject,
  CONFIG_FILE,
  type MistakeRow,
  toldOf,
} from "../../support/analysis.ts";

const VERIFIER = "export const verify = (credential: string) => null;\n";
const KIOSK = 'kiosk: { scheme: "Kiosk", verify: "services/kiosk", variants: ["hall", "desk"] }';

/** The members of `auth.principals` begin at line 2. */
function withPrincipals(source: string, rule = '{ roles: ["kiosk/hall"] }'): Analyzed {
  return analyzedProject({
    [CONFIG_FILE]: `export default { name: "sample", auth: { principals: {\n${source}\n} } };\n`,
    "quickback/services/kiosk.ts": VERIFIER,
    "quickback/services/default.ts": "export default async (credential: string) => null;\n",
    "quickback/services/other.ts": "export const check = 1;\n",
    "quickback/lib/kiosk.ts": VERIFIER,
    "quickback/features/signs/signs.ts": `import { feature, q } from "quickback";
export default feature("signs", { columns: { title: q.text() }, firewall: { exception: true },
read: { access: ${rule} } });
`,
  });
}

const MISTAKES: readonly MistakeRow[] = [
  ...["Bearer", "bearer", "Basic", "DIGEST", "Negotiate", "NTLM"].map((scheme): MistakeRow => [
    `the scheme ${scheme}`,
    KIOSK.replace('"Kiosk"', `"${scheme}"`),
    [
      `VALUE_INVALID 2:18 "auth.principals.kiosk.scheme" is "${scheme}", expected a scheme of its own, none that others already use`,
    ],
  ]),
  ...["", "My Scheme", "Kiosk:", "Kíosk", '"K"'].map((scheme): MistakeRow => [
    `the scheme ${JSON.stringify(scheme)}`,
    KIOSK.replace('"Kiosk"', `'${scheme}'`),
    [
      `VALUE_INVALID 2:18 "auth.principals.kiosk.scheme" is ${
        JSON.stringify(scheme)
      }, expected a scheme of RFC 9110, one token`,
    ],
  ]),
  [
    "one scheme twice",
    `${KIOSK}, gate: { scheme: "KIOSK", verify: "services/kiosk", variants: ["a"] }`,
    [
      'PRINCIPAL_SCHEME_TAKEN 2:99 Scheme "KIOSK" is already that of "kiosk" | Give each principal a scheme of its own; case makes no difference',
    ],
  ],
  ["no verifier", 'kiosk: { scheme: "Kiosk", variants: ["hall"] }', [
    'KEY_MISSING 2:8 Key "verify" is missing in auth.principals.kiosk',
  ]],
  ["no variants", KIOSK.replace('"hall", "desk"', ""), [
    'VALUE_INVALID 2:63 "auth.principals.kiosk.variants" is an empty list, expected a list with at least one variant',
  ]],
  ["a variant twice", KIOSK.replace("desk", "hall"), [
    'LISTED_TWICE 2:72 "hall" stands twice in "auth.principals.kiosk.variants" | Remove one of the two',
  ]],
  ["a variant that is no name", KIOSK.replace("desk", "a/b"), [
    'PRINCIPAL_NAME 2:72 "a/b" cannot name a delegated principal or a variant | Use up to 64 letters, digits, _ and -, beginning with a letter',
  ]],
  ["a principal that is no name", KIOSK.replace("kiosk:", '"ki/osk":'), [
    'PRINCIPAL_NAME 2:1 "ki/osk" cannot name a delegated principal or a variant | Use up to 64 letters, digits, _ and -, beginning with a letter',
  ]],
  ["a verifier that is not there", KIOSK.replace("services/kiosk", "services/kiosks"), [
    'PRINCIPAL_VERIFIER_MISSING 2:35 Verifier "services/kiosks" is no file in quickback/services | Did you mean "services/kiosk"?',
  ]],
  ["a verifier in another folder", KIOSK.replace("services/kiosk", "lib/kiosk"), [
    'PRINCIPAL_VERIFIER_MISSING 2:35 Verifier "lib/kiosk" is no file in quickback/services | Write its path from quickback/, such as "services/devices"',
  ]],
  ["a verifier outside of the project", KIOSK.replace("services/kiosk", "../services/kiosk"), [
    'PRINCIPAL_VERIFIER_MISSING 2:35 Verifier "../services/kiosk" is no file in quickback/services | Did you mean "services/kiosk"?',
  ]],
  ["a file without a verifier", KIOSK.replace("services/kiosk", "services/other"), [
    'PRINCIPAL_VERIFIER_EXPORT 2:35 "quickback/services/other.ts" exports neither "verify" nor a default | Write export const verify = async (credential, { env, db }) => …',
  ]],
  ["an unknown key", KIOSK.replace("}", ', roles: ["x"] }'), [
    'UNKNOWN_KEY 2:82 Unknown key "roles" in auth.principals.kiosk | There are "scheme", "verify", "variants"',
  ]],
];

for (const [title, source, expected] of MISTAKES) {
  Deno.test(`Delegated principals: ${title}`, () => {
    const { errors } = withPrincipals(source);
    assertEquals(toldOf(errors.filter(({ place }) => place.file === CONFIG_FILE)), expected);
  });
}

Deno.test("A verifier is found by each way to write its path", () => {
  for (
    const path of [
      "services/kiosk",
      "./services/kiosk.ts",
      "quickback/services/kiosk",
      "services/default",
    ]
  ) {
    const { model, errors } = withPrincipals(KIOSK.replace("services/kiosk", path));
    assertEquals(toldOf(errors), []);
    const isDefault = path.endsWith("default");
    assertEquals(model?.auth.principals, [{
      name: "kiosk",
      scheme: "Kiosk",
      module: `quickback/services/${isDefault ? "default" : "kiosk"}.ts`,
      export: isDefault ? "default" : "verify",
      variants: ["hall", "desk"],
    }]);
  }
});

Deno.test("A rule names a variant that exists, and no member can hold it", () => {
  const { model, errors } = withPrincipals(KIOSK, '{ roles: ["kiosk/hall", "auditor"] }');
  assertEquals(toldOf(errors), []);
  assertEquals(model?.auth.roles, ["auditor"]);
  assertEquals(toldOf(withPrincipals(KIOSK, '{ roles: ["kiosk/hal"] }').errors), [
    'PRINCIPAL_UNKNOWN 3:27 Unknown delegated principal "kiosk/hal" | Did you mean "kiosk/hall"?',
  ]);
  assertEquals(toldOf(withPrincipals("", '{ roles: ["kiosk/hall"] }').errors), [
    'PRINCIPAL_UNKNOWN 3:27 Unknown delegated principal "kiosk/hall" | Declare it in auth.principals; a rule names it as "<principal>/<variant>"',
  ]);
});
