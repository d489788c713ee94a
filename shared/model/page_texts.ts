/** Texts of the API's own pages in English. A project may replace each, in any language (definitions 6). */

export const PAGE_TEXTS = {
  requestedAt: "Asked for at {{time}}.",
  password: "Password of {{email}}",
  newPassword: "New password",
  signInFirst: "Sign in to this account in this browser first, then open the link again.",
  otherAccount: "This browser is signed in to another account.",
  close: "You can close this page.",
  "invitation.title": "Accept the invitation",
  "invitation.text": "{{organization}} invites {{email}} to join it in {{app}}.",
  "invitation.button": "Accept",
  "invitation.done": "You have joined",
  "verifyEmail.title": "Confirm your address",
  "verifyEmail.text": "This confirms that the account {{email}} of {{app}} is yours.",
  "verifyEmail.button": "Confirm",
  "verifyEmail.done": "Your address is confirmed",
  "verifyEmail.notMine": "I did not make this account",
  "verifyEmail.takeOver":
    "Somebody else may have made it with your address. Then it becomes yours, everything that was made in it so far to get in ends, and you choose a new password.",
  "resetPassword.title": "Choose a new password",
  "resetPassword.text":
    "It is for the account {{email}} of {{app}}, whose sessions all end with it.",
  "resetPassword.button": "Set the password",
  "resetPassword.done": "Your password is set",
  "changeEmail.title": "Change your address",
  "changeEmail.text": "The account {{email}} of {{app}} has the address {{newEmail}} from then on.",
  "changeEmail.button": "Change the address",
  "changeEmail.done": "Your address is changed",
  "deleteAccount.title": "Delete your account",
  "deleteAccount.text": "The account {{email}} of {{app}} is gone afterwards, for good.",
  "deleteAccount.button": "Delete the account",
  "deleteAccount.done": "Your account is deleted",
  "magicLink.title": "Sign in",
  "magicLink.text": "This signs in to {{app}} as {{email}}.",
  "magicLink.button": "Sign in",
  "magicLink.done": "You are signed in",
  "secondFactor.title": "A second step is needed",
  "secondFactor.text": "Go on in the application: it asks for the code of your device.",
  "invalid.title": "This link is not good any more",
  "invalid.text": "It may have been used, or be too old. Ask for a new message.",
  "refused.title": "This cannot be done",
  "problem.password": "The password is wrong.",
  "problem.passwordNeeded": "Give the password of this account.",
  "problem.newPassword": "The password must have {{min}} to {{max}} characters.",
  "problem.tooMany": "Too many attempts. Wait a minute, and try again.",
  "problem.signIn": "The address or the password is wrong.",
  "problem.code": "The code is wrong.",
  "problem.unproved": "The address is not confirmed yet: follow the link in the message.",
  "problem.banned": "This account cannot sign in.",
  "signIn.title": "Sign in to {{app}}",
  "signIn.text": "An application asks to act for you. Sign in to see what it asks for.",
  "signIn.email": "E-mail address",
  "signIn.password": "Password",
  "signIn.button": "Sign in",
  "signIn.elsewhere": "Sign in in the application that you know, in this browser.",
  "signIn.again": "Then come back to this page",
  "code.title": "Second step",
  "code.label": "Code of your authenticator, or a backup code",
  "code.button": "Go on",
  "consent.title": "Allow “{{client}}” to act for you in {{app}}?",
  "consent.account": "You are signed in as {{email}}.",
  "consent.otherAccount": "Use another account",
  "consent.unchecked": "The application named itself; nobody has checked it.",
  "consent.answer": "Its answer goes to {{host}}.",
  "consent.localAnswer": "Its answer goes to a program on this computer, {{host}}.",
  "consent.organization": "It will act in {{organization}}.",
  "consent.organizations": "In which organization?",
  "consent.scopes": "It will be able to",
  "consent.platformRole": "Act as {{role}}, too, which reaches other accounts",
  "consent.limits":
    "Never more than you may yourself. Untick what it need not do. You can take this back at any time.",
  "consent.allow": "Allow",
  "consent.deny": "Do not allow",
  "scope.everything": "Everything",
  "scope.readAll": "Read all that you may read",
  "scope.read": "Read them",
  "scope.create": "Make new ones",
  "scope.update": "Change them",
  "scope.delete": "Delete them",
  "scope.restore": "Restore deleted ones",
  "scope.action": "Run the action “{{action}}”",
  "scope.describedAction": "Run “{{action}}”: {{description}}",
  "lost.title": "This request cannot be answered",
  "lost.text": "Go back to the application and begin again there.",
} as const satisfies Readonly<Record<string, string>>;

export type PageText = keyof typeof PAGE_TEXTS;

/** Returns a text of a page with its placeholders filled in. */
export type Says = (key: PageText, values?: Readonly<Record<string, string>>) => string;

/** Largest length of a page's text in code points. */
export const PAGE_TEXT_MAX = 500;

export function isPageText(name: string): name is PageText {
  return Object.hasOwn(PAGE_TEXTS, name);
}
