import { expect, test } from "vitest";
import { serializeBody, shiftMentions } from "../../../sync/drafts/message-drafts.ts";
import { toEditableText } from "./use-message-actions.ts";

const nameOf = (id: number) => ({ 7: "Ana", 8: "Ana Maria", 9: "Ana" })[id] ?? "?";

test("mentions stand by their names and come back as what they were, also where people share a name", () => {
  const body = "<@8> and <@7>, ask <@9>; not <@5>";
  const editable = toEditableText(body, [7, 8, 9], nameOf);
  expect(editable.text).toBe("@Ana Maria and @Ana, ask @Ana; not <@5>");
  expect(serializeBody(editable.text, editable.named)).toBe(body);
});

test("what is typed before a mention moves it, what is typed into it ends it", () => {
  const { text, named: ranges } = toEditableText("<@7> listen", [7], nameOf);
  const moved = `please ${text}`;
  expect(serializeBody(moved, shiftMentions(ranges, text, moved))).toBe("please <@7> listen");
  const broken = "@Anna listen";
  expect(serializeBody(broken, shiftMentions(ranges, text, broken))).toBe(broken);
});
