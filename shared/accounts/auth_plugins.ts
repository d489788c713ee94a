/** The account library's plugins: organizations with teams, platform roles, API keys (definitions 2 and 7). */
import { apiKey } from "@better-auth/api-key";
import { createAccessControl } from "better-auth/plugins/access";
import { admin } from "better-auth/plugins/admin";
import { adminAc, defaultStatements, userAc } from "better-auth/plugins/admin/access";
import { organization } from "better-auth/plugins/organization";
import { accountRoleNames } from "../model/mod.ts";
import { languagesOf, sendMail } from "./account_mails.ts";
import type { LibraryInput } from "./library_input.ts";
import { organizationLifeCycle } from "./life_cycle.ts";
import { takeMail } from "./mail_limits.ts";
import { openLink } from "./mailed_links/link_acts.ts";
import { memberRoles } from "./member_roles.ts";
import { signInPlugins } from "./sign_in.ts";

export function pluginsOf(input: LibraryInput) {
  // Only `sysadmin` administers accounts. By default nobody has a role of the library's own.
  const named = accountRoleNames(input.project);
  const always = [
    admin({
      ac: createAccessControl(defaultStatements),
      roles: {
        ...Object.fromEntries(named.map((role) => [role, userAc])),
        sysadmin: adminAc,
      },
      adminRoles: ["sysadmin"],
      defaultRole: "",
    }),
    apiKey({
      keyExpiration: { minExpiresIn: 0 },
      // `api_key_creation.ts` turns the limit on for keys that ask for one.
      rateLimit: { enabled: true },
    }),
    ...signInPlugins(input),
  ];
  return input.project.multiTenant ? [organizationPlugin(input), ...always] : always;
}

function organizationPlugin(input: LibraryInput) {
  const { project } = input;
  return organization({
    organizationHooks: organizationLifeCycle(input),
    ...memberRoles(project.auth),
    teams: { enabled: true, defaultTeam: { enabled: false }, allowRemovingAllTeams: true },
    async sendInvitationEmail({ id, email: to, organization, inviter, role }, request) {
      if (!await takeMail(input.database, to, "invitation")) return;
      const token = await openLink(input, { act: "invitation", email: to, invitation: id });
      const values = { organization: organization.name, inviter: inviter.user.name, role };
      const languages = languagesOf(request);
      await sendMail(input, "invitation", { to, keys: { id, token }, languages, values });
    },
  });
}
