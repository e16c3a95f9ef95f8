import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  mentions: { one: "{count} mention", other: "{count} mentions" },
  unread: { one: "{count} unread", other: "{count} unread" },
  unreadMany: "99+ unread",
  above: " above",
  below: " below",
});
