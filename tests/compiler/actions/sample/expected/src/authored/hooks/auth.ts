import { ActionError, type AuthHooks } from "quickback";
export const beforeSignUp: AuthHooks["beforeSignUp"] = ({ user }) => {
  if (user.email.endsWith("@example.org")) throw new ActionError("Not here", "NOT_HERE", 403);
};
export default {
  async onOrganizationCreated({ organization, scopeTo }) {
    await scopeTo({ organizationId: organization.id }, ({ services }) => services.jobCounts.all());
  },
} satisfies AuthHooks;
