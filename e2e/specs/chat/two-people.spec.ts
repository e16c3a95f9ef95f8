import type { Page } from "@playwright/test";
import { loadMessages, markRead, createMessage } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { composer, expectSent, message, waitForScrollEnd, send, textsInOrder, timeline } from "../../fixtures/pages.ts";

test("two people in one chat see each other's presence, typing, messages and read markers", async ({ pair: { ana, ben, project }, open }) => {
  const path = `/projects/${project.id}/chat`;
  const anaPage = await open(ana, path);
  const presenceLink = anaPage
    .getByRole("banner")
    .or(anaPage.locator("header"))
    .getByRole("link", { name: /people$/ });
  await expect(presenceLink).toHaveAttribute("title", new RegExp(`${ana.name} is here`));
  await expect(presenceLink).not.toHaveAttribute("title", new RegExp(`${ben.name} is here`));
  const benPage = await open(ben, path);
  await expect(presenceLink).toHaveAttribute("title", new RegExp(`${ben.name} is here`));
  await expect(presenceLink.locator("[data-presence]")).toHaveCount(2);

  await test.step("a message shows for the other person immediately", async () => {
    for (const page of [anaPage, benPage]) await expect(page.getByText("No messages yet")).toBeVisible();
    await send(anaPage, "Bass is hot at 1:23");
    await expectSent(anaPage, "Bass is hot at 1:23");
    await expect(message(benPage, "Bass is hot at 1:23")).toContainText(ana.name);
    await send(benPage, "Fixed, listen again");
    await expectSent(benPage, "Fixed, listen again");
    await expect(message(anaPage, "Fixed, listen again")).toContainText(ben.name);
    expect((await loadMessages(ana, project.id)).map(({ body }) => body)).toEqual(["Bass is hot at 1:23", "Fixed, listen again"]);
  });

  await test.step("the typing indicator shows below the timeline without moving it, until the message arrives", async () => {
    const messageBox = () => message(anaPage, "Bass is hot at 1:23").boundingBox();
    const before = await messageBox();
    const typingIndicator = anaPage.getByText(`${ben.name} is typing…`);
    await expect(async () => {
      await composer(benPage).pressSequentially("h");
      await expect(typingIndicator).toBeVisible({ timeout: 1_500 });
    }).toPass();
    expect(await messageBox()).toEqual(before);
    await send(benPage, "here it is");
    await expect(message(anaPage, "here it is")).toBeVisible();
    await expect(typingIndicator).toHaveCount(0);
  });

  await test.step("messages typed quickly on both sides arrive once, in one order for both people", async () => {
    const takes = (prefix: string) => Array.from({ length: 6 }, (_, index) => `take ${prefix}${index + 1}`);
    const typeAll = async (page: Page, texts: string[]) => {
      for (const text of texts) await send(page, text);
    };
    await Promise.all([typeAll(anaPage, takes("A")), typeAll(benPage, takes("B"))]);
    const stored = async () => (await loadMessages(ana, project.id)).map(({ body }) => body).filter((body) => body.startsWith("take"));
    await expect.poll(async () => (await stored()).length).toBe(12);
    const order = await stored();
    expect(order.filter((body) => body.startsWith("take A"))).toEqual(takes("A"));
    expect(order.filter((body) => body.startsWith("take B"))).toEqual(takes("B"));
    for (const page of [anaPage, benPage]) await expect.poll(() => textsInOrder(page, /take [AB]\d/)).toEqual(order);
  });

  await test.step("a person who leaves loses the presence dot; their read marker is shown, and moves when they read", async () => {
    // Loads another document, which unloads the chat.
    await benPage.goto(`${ben.url}/icon.svg`);
    await expect(presenceLink).not.toHaveAttribute("title", new RegExp(`${ben.name} is here`));
    const first = await createMessage(ana, project.id, "first cut");
    const second = await createMessage(ana, project.id, "second cut");
    const readMarker = (text: string) => message(anaPage, text).getByRole("img", { name: `Read by ${ben.name}` });
    await markRead(ben, project.id, first.id);
    await expect(readMarker("first cut")).toBeVisible();
    await markRead(ben, project.id, second.id);
    await expect(readMarker("second cut")).toBeVisible();
    await expect(readMarker("first cut")).toHaveCount(0);
  });
});

test("a pending message becomes the stored one in place; the reader stays at the end, and is not moved there while reading above", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
}) => {
  importMessages(organization.service, project.id, longHistory(60, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, /^.*#60 /s)).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await waitForScrollEnd(page);

  await test.step("a message shows before the service stores it, and becomes the stored one in place", async () => {
    const pausedSend = await network.pause(page, "**/v1/account/projects/chat_message");
    await send(page, "held back for a moment");
    const row = message(page, "held back");
    await expect(row).toBeVisible();
    await expect(row.locator("[data-message]")).toHaveCount(0);
    await expect(composer(page)).toHaveValue("");
    // Records in every frame, from before the response until after it, the row's position and that it stays the same element.
    await row.evaluate((element) => {
      const watched = { tops: [] as number[], framesAfter: 0 };
      Object.assign(window, { watched });
      const measureFrame = () => {
        watched.tops.push(element.isConnected ? element.getBoundingClientRect().top : NaN);
        if (!element.isConnected || element.querySelector("[data-message]")) watched.framesAfter += 1;
        if (watched.framesAfter < 20) requestAnimationFrame(measureFrame);
      };
      measureFrame();
    });
    await pausedSend.end();
    await expect.poll(async () => (await loadMessages(ana, project.id)).at(-1)?.body).toBe("held back for a moment");
    const watched = () => page.evaluate(() => (window as unknown as { watched: { tops: number[]; framesAfter: number } }).watched);
    await expect.poll(async () => (await watched()).framesAfter).toBe(20);
    const { tops } = await watched();
    expect(tops.every(Number.isFinite), "the row was replaced by another one").toBe(true);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
    await expect(row).toHaveCount(1);
    await expect(row.locator("time")).toHaveCount(1);
  });

  await test.step("the reader stays at the end while messages arrive, and is not moved there while reading above", async () => {
    await createMessage(ben, project.id, "news at the end");
    await expect(message(page, "news at the end")).toBeInViewport();
    await timeline(page).hover();
    await page.mouse.wheel(0, -1_200);
    await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
    const before = await waitForScrollEnd(page);
    await createMessage(ben, project.id, "news while reading");
    await expect(page.getByRole("button", { name: "1 new message" })).toBeVisible();
    expect(await waitForScrollEnd(page)).toBe(before);
    await page.getByRole("button", { name: "1 new message" }).click();
    await expect(message(page, "news while reading")).toBeInViewport();
  });
});
