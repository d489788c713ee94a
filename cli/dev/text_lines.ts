/** Splits a stream of text into lines without their line breaks; the last line may have none. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split(/\r?\n/);
        rest = lines.pop() ?? "";
        lines.forEach((line) => controller.enqueue(line));
      },
      flush(controller) {
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
