import { importMessages, longHistory } from "../../fixtures/import.ts";
import { message, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("an address leads to its message, and from there to the latest", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(900, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat/${ids[299]}`);
  await expect(message(page, /#300 /)).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`/chat/${ids[299]}$`));
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(message(page, /#900 /)).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/chat$`));
  await page.goBack();
  await expect(message(page, /#300 /)).toBeInViewport();
});

test("a message that is gone leads to where it stood", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(300, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat/${(ids.at(-1) ?? 0) + 1_000_000}`);
  await expect(message(page, /#300 /)).toBeInViewport();
});

test("something that is no id opens the chat itself", async ({ house, pair: { ana, ben, project }, open }) => {
  importMessages(house.service, project.id, longHistory(50, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat/latest`);
  await expect(message(page, /#50 /)).toBeInViewport();
  await expect(timeline(page)).toBeVisible();
});
