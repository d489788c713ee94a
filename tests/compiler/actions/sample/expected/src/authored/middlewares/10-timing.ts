import type { Context, Next } from "hono";
export default async function timing(c: Context, next: Next) {
  await next();
  c.header("x-timing", "1");
}
