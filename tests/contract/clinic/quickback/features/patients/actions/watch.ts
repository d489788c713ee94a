import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Follow the ward",
  path: "./watch",
  responseType: "stream",
  input: z.object({ fail: z.enum(["never", "before", "during"]), events: z.number().int().max(9) }),
  access: { roles: ["nurse+"] },
  execute: ({ input, env }) => {
    if (input.fail === "before") throw new TypeError("a secret");
    const encoder = new TextEncoder();
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent === input.events) return controller.close();
        if (input.fail === "during" && sent === 1) throw new TypeError("a secret");
        sent += 1;
        controller.enqueue(encoder.encode(`data: ${env["GREETING"]} ${sent}\n\n`));
      },
      cancel: () => void Reflect.set(globalThis, "clinicStreamCancelled", true),
    });
  },
});
