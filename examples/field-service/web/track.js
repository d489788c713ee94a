/** What a customer sees of their order. The address holds its link, which is all that they need. */
import { dayText, element, h } from "./dom.js";
import { stageText } from "./stages.js";

const card = element("tracked", HTMLElement);

addEventListener("hashchange", show);
await show();

async function show() {
  const link = encodeURIComponent(location.hash.slice(1));
  const answer = await fetch(`/api/v1/work-orders/track/${link}`);
  if (!answer.ok) {
    const wrong = "Ask the company for a new one.";
    card.replaceChildren(h("h1", {}, "This link leads to no order"), h("p", {}, wrong));
    return;
  }
  const { number, title, stage, scheduledFor, completedAt } = await answer.json();
  card.dataset["stage"] = stage;
  card.replaceChildren(
    h("p", { class: "quiet" }, number),
    h("h1", {}, title),
    h("p", { class: "stage" }, stageText(stage)),
    h(
      "p",
      { class: "quiet" },
      completedAt === null
        ? scheduledFor === null ? "We will name a day." : `We come on ${dayText(scheduledFor)}.`
        : `Done on ${dayText(completedAt.slice(0, 10))}.`,
    ),
  );
}
