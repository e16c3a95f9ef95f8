import { t } from "../../../lib/messages/chat.ts";

/** Formats who is typing, such as "Ana is typing…"; null for nobody. */
export function formatTyping(names: readonly string[]): string | null {
  const [first, second] = names;
  if (first === undefined) return null;
  if (second === undefined) return t("typingOne", { name: first });
  return names.length === 2 ? t("typingTwo", { first, second }) : t("typingMany", { first, second, count: names.length - 2 });
}
