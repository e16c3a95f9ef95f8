/** The emoji picker and the `:` completion: search, skin tones, recent emoji, keyboard, focus, and where the data comes from. */
import type { Page } from "@playwright/test";
import { addReaction } from "../../../contract/operations/messages.ts";
import { call, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { actions, composer, dialog, message } from "../../fixtures/pages.ts";
import { NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/network.ts";

const picker = (page: Page) => dialog(page, "Choose an emoji");
const search = (page: Page) => picker(page).getByRole("combobox", { name: "Search emoji" });
const option = (page: Page, name: string) => picker(page).getByRole("option", { name, exact: true });
const section = (page: Page, name: string) => picker(page).getByRole("group", { name, exact: true });
/** Returns the name of the option that a screen reader announces while the search field has the focus. */
const activeOption = (page: Page) =>
  search(page).evaluate((field) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.getAttribute("aria-label") ?? null);

test("an emoji is chosen by search, keys and skin tone, and the focus returns to the message", async ({ pair: { ana, ben, project }, open }) => {
  await createMessage(ben, project.id, "Bass is hot");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const row = message(page, "Bass is hot");
  const article = row.getByRole("article");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  await test.step("the data loads when the picker opens, from our service only, and stays in no storage", async () => {
    await article.hover();
    await actions(row).getByRole("button", { name: "React", exact: true }).waitFor();
    expect(requests.filter((url) => /\/assets\/(data|iamcal)-.*\.json$/.test(url))).toEqual([]);
    await actions(row).getByRole("button", { name: "React", exact: true }).click();
    await expect(search(page)).toBeFocused();
    await expect(option(page, "grinning face")).toBeVisible();
    expect(requests.filter((url) => /\/assets\/(data|iamcal)-.*\.json$/.test(url))).toHaveLength(2);
    expect(requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]).length)).toBeLessThan(5_000);
  });

  await test.step("the best match comes first, and picking returns the focus to the message, whose toolbar is gone", async () => {
    await search(page).pressSequentially("rocket");
    await expect.poll(() => activeOption(page)).toBe("rocket");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(row.getByRole("button", { name: /^🚀 1 reaction: you/ })).toBeVisible();
    await expect(picker(page)).toHaveCount(0);
    await expect(article).toBeFocused();
  });

  await test.step("arrow keys move through the grid, and Escape returns the focus to the button that opened the picker", async () => {
    const addButton = row.getByRole("button", { name: "Add a reaction" });
    await addButton.press("Enter");
    await expect(section(page, "Recent").getByRole("option")).toHaveText(["🚀"]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => activeOption(page)).toBe("rocket");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => activeOption(page)).toBe("grinning face");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => activeOption(page)).toBe("grinning face with big eyes");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => activeOption(page)).toBe("upside-down face");
    await page.keyboard.press("End");
    await expect.poll(() => activeOption(page)).toBe("flag: Wales");
    await page.keyboard.press("Home");
    await expect.poll(() => activeOption(page)).toBe("rocket");
    await page.keyboard.press("Escape");
    await expect(picker(page)).toHaveCount(0);
    await expect(addButton).toBeFocused();
  });

  await test.step("the chosen skin tone applies to the grid, the completion and the reaction, and lasts", async () => {
    await row.getByRole("button", { name: "Add a reaction" }).press("Enter");
    await picker(page).getByRole("radio", { name: "Medium-dark skin tone" }).check({ force: true });
    await search(page).fill("thumbs_up");
    await expect(option(page, "thumbs up")).toHaveText("👍🏾");
    await search(page).press("Enter");
    await expect(row.getByRole("button", { name: /^👍🏾 1 reaction: you/ })).toBeVisible();
    await page.reload();
    await composer(page).pressSequentially(":+1");
    await expect(page.getByRole("listbox", { name: "Emoji" }).getByRole("option").first()).toHaveText(/👍🏾thumbs up/);
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue("👍🏾");
    await composer(page).fill("");
  });

  await test.step("removing the last reaction of an emoji moves the focus to the message", async () => {
    await row.getByRole("button", { name: /^🚀 1 reaction: you/ }).press("Enter");
    await expect(row.getByRole("button", { name: /^🚀/ })).toHaveCount(0);
    await expect(article).toBeFocused();
  });

  await test.step("a reaction with a long sequence that somebody else sends is shown", async () => {
    const [{ id }] = [await createMessage(ben, project.id, "Together")];
    for (const emoji of ["🧑🏻‍❤️‍💋‍🧑🏿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "👍", "👍🏿"])
      await call(ben, addReaction, { params: { project_id: project.id, message_id: id, emoji: encodeURIComponent(emoji) } });
    await expect(
      message(page, "Together")
        .getByRole("group", { name: "Reactions" })
        .getByRole("button", { name: / 1 reaction/ }),
    ).toHaveCount(4);
  });
});

test("the picker keeps the recent emoji of an earlier version, works without the data, and offers only what the platform can draw", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  await createMessage(ben, project.id, "Bass is hot");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  const button = page.getByRole("button", { name: "Insert emoji" });
  await page.evaluate(() => localStorage.setItem("talkback.recent-emoji", "🎧 ✔️ <b> 👍🏾"));

  await test.step("without a connection, a message explains it and the recent emoji can be chosen", async () => {
    pageErrors.allow(NETWORK_LOSS);
    await page.route("**/assets/data-*.json", (route) => route.abort("internetdisconnected"));
    await button.click();
    await expect(picker(page).getByRole("status")).toHaveText("Couldn't load the emoji. Check your connection.");
    await expect(section(page, "Recent").getByRole("option")).toHaveText(["🎧", "✔️", "👍🏾"]);
    await expectAccessible(page);
    await section(page, "Recent").getByRole("option").first().click();
    await expect(composer(page)).toHaveValue("🎧");
    await expect(composer(page)).toBeFocused();
  });

  await test.step("once the connection is back, another attempt loads the rest; only emoji that the platform can draw are offered", async () => {
    await button.click();
    await expect(picker(page).getByRole("status")).toHaveText("Couldn't load the emoji. Check your connection.");
    await page.unroute("**/assets/data-*.json");
    // Pretends to have a color font without flags, which draws only one sequence as a single emoji.
    await page.evaluate(() => {
      let text = "";
      const context = CanvasRenderingContext2D.prototype;
      context.fillText = (value) => void (text = value);
      context.measureText = (value) => ({ width: value.includes("\u200D") && value !== "👩‍🚀" ? 20 : 10 }) as TextMetrics;
      context.getImageData = () => ({ data: new Uint8ClampedArray(256).fill(/^\p{RI}/u.test(text) ? 0 : 150) }) as unknown as ImageData;
    });
    await picker(page).getByRole("button", { name: "Try again" }).click();
    await expect(option(page, "grinning face")).toBeVisible();
    await expect(section(page, "Recent").getByRole("option", { name: "headphone" })).toBeVisible();
    await search(page).fill("germany");
    await expect(picker(page).getByRole("status")).toHaveText("No emoji found");
    await search(page).fill("family");
    await expect(option(page, "family")).toBeVisible();
    await expect(option(page, "family: adult, adult, child")).toHaveCount(0);
    await search(page).fill("astronaut");
    await expect(option(page, "woman astronaut")).toBeVisible();
    await expect(option(page, "man astronaut")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(picker(page)).toHaveCount(0);
    // A press on the button left the focus in the message field.
    await expect(composer(page)).toBeFocused();
  });
});

test("Enter in a search before the emoji have loaded picks the first result of the last search once they have", async ({
  pair: { ana, project },
  open,
  network,
}) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  await page.evaluate(() => localStorage.setItem("talkback.recent-emoji", "🎧"));
  const paused = await network.pause(page, "**/assets/data-*.json");
  await page.getByRole("button", { name: "Insert emoji" }).click();
  await expect(section(page, "Recent").getByRole("option")).toHaveText(["🎧"]);
  await search(page).fill("rocket");
  // A recent emoji that does not match must not be picked instead.
  await expect(picker(page).getByRole("option")).toHaveCount(0);
  await search(page).press("Enter");
  await search(page).fill("headphone");
  await search(page).press("Enter");
  await expect(picker(page)).toBeVisible();
  await paused.end();
  await expect(picker(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue("🎧");
});

test("a search that changes after Enter picks nothing by itself", async ({ pair: { ana, project }, open, network }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  const paused = await network.pause(page, "**/assets/data-*.json");
  await page.getByRole("button", { name: "Insert emoji" }).click();
  await search(page).fill("rocket");
  await search(page).press("Enter");
  await search(page).fill("headphone");
  await paused.end();
  await expect(option(page, "headphone")).toBeVisible();
  await expect(composer(page)).toHaveValue("");
});
