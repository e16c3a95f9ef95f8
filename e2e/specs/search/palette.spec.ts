import type { Page } from "@playwright/test";
import { createMessage } from "../../fixtures/api.ts";
import { expect, test } from "../../fixtures/network.ts";
import { message } from "../../fixtures/pages.ts";

const SEARCH = /\/api\/v2\/search\?/;
const selected = (page: Page) => page.getByRole("option", { selected: true });
const searchAll = (page: Page) => page.getByRole("option", { name: /^Show all results for/ });

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type(text);
}

test("results that arrive later do not change what Enter opens once it was selected; otherwise the first one is", async ({
  pair: { ana, project },
  open,
  network,
}) => {
  const word = `gale${project.id}`;
  const { id } = await createMessage(ana, project.id, `The ${word} take`);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const result = page.getByRole("option", { name: `The ${word} take` });
  await expect(message(page, word)).toBeVisible();

  await test.step("the search of everything stays selected", async () => {
    const pause = await network.pause(page, SEARCH);
    await typeInPalette(page, word);
    await expect(page.getByRole("option")).toHaveText([`Show all results for “${word}”`]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => pause.urls.length).toBe(1);
    await pause.end();
    await expect(result).toBeVisible();
    await expect(selected(page)).toHaveText(`Show all results for “${word}”`);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/search?q=${word}`);
    await page.goBack();
  });

  await test.step("a result stays selected that the next response does not have", async () => {
    await typeInPalette(page, word);
    await expect(result).toBeVisible();
    const patch = await network.patchResponse(page, SEARCH, ({ data }) => Object.assign(data as object, { groups: [] }));
    const response = page.waitForResponse(SEARCH);
    await page.keyboard.type(" take");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(selected(page)).toHaveText(new RegExp(`The ${word} take`));
    await response;
    await expect(selected(page)).toHaveText(new RegExp(`The ${word} take`));
    await expect(page.getByRole("option")).toHaveCount(2);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat/${id}`);
    await patch.end();
  });

  await test.step("without a selection, the first result takes the place of the search of everything", async () => {
    const pause = await network.pause(page, SEARCH);
    await typeInPalette(page, `${word} tak`);
    await expect(selected(page)).toHaveText(/^Show all/);
    await expect.poll(() => pause.urls.length).toBe(1);
    await pause.end();
    await expect(searchAll(page)).toHaveAttribute("aria-selected", "false");
    await expect(selected(page)).toHaveText(new RegExp(`The ${word} take`));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat/${id}`);
  });
});
