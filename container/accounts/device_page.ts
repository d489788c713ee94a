/** The page on which a person lets a terminal in (RFC 8628, 3.3): one form, no script, credentials in every answer. */

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}" +
  "label{display:block;margin:.75rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}" +
  "button{font:inherit;padding:.4rem 1rem;margin-right:.5rem}summary{margin:.75rem 0}";

interface PageInput {
  readonly status: number;
  /** Above the form, or instead of it. */
  readonly message: string;
  /** The code that the form begins with; null: no form. */
  readonly code: string | null;
}

export async function devicePage({ status, message, code }: PageInput): Promise<Response> {
  const body = code === null ? "" : form(code);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>Sign in a terminal</title>` +
    `<style>${STYLE}</style></head><body><h1>Sign in a terminal</h1><p>${
      escaped(message)
    }</p>${body}</body></html>`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        `default-src 'none'; style-src 'sha256-${await digestOf(STYLE)}'; ` +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    },
  });
}

function form(code: string): string {
  return `<form method="post" action="/device">` +
    `<label>Code<input name="user_code" value="${
      escaped(code)
    }" required maxlength="20" autocomplete="off"></label>` +
    `<label>E-mail<input name="email" type="email" required maxlength="254" autocomplete="username"></label>` +
    `<label>Password<input name="password" type="password" required maxlength="128" autocomplete="current-password"></label>` +
    `<details><summary>No account yet</summary>` +
    `<label>Name<input name="name" maxlength="120"></label>` +
    `<label>Key of the service<input name="key" type="password" maxlength="200" autocomplete="off"></label></details>` +
    `<p><button name="decision" value="approve">Let it in</button><button name="decision" value="deny">Refuse</button></p></form>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}
