/** The long form of what `outbox.spec.ts` shows once: while two tabs write, the network, the tabs and the service break again and again. For `npm run faults`. */
import type { Page } from "@playwright/test";
import { reportFaults } from "../../../server/testing/fault-counts.ts";
import { timeoutFactor } from "../../../playwright.config.ts";
import { createProject, loadMessages, setUpOwner } from "../../fixtures/api.ts";
import { expect, test } from "../../fixtures/network.ts";
import { NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, expectSent, message, newTab, send, textsInOrder } from "../../fixtures/pages.ts";

const SEND_URL = "**/v1/account/projects/chat_message";
const ROUNDS = Number(process.env["TALKBACK_FAULT_ROUNDS"] ?? 5);
const BREAKS = ["network", "reload", "response", "tab", "service"] as const;

test(`every message arrives once and in order after ${ROUNDS} breaks`, async ({ ownService, open, pageErrors, network }) => {
  test.setTimeout((60_000 + ROUNDS * 30_000) * timeoutFactor);
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(/ERR_FAILED/);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const first = await open(owner, `/projects/${project.id}/chat`);
  const context = first.context();
  const openTab = async (): Promise<Page> => {
    const tab = await newTab(first, first.url());
    await expect(composer(tab)).toBeVisible();
    return tab;
  };
  let second = await openTab();
  const written: string[] = [];
  /** Writes in one tab and waits until both show the message, which is then in the outbox that they share. */
  const write = async (tab: Page, text: string) => {
    await send(tab, text);
    written.push(text);
    for (const page of [first, second]) await expect(message(page, text)).toBeVisible();
  };
  const whileBroken: Record<(typeof BREAKS)[number], (round: number) => Promise<void>> = {
    async network(round) {
      await context.setOffline(true);
      await write(second, `round ${round}: two`);
      await write(first, `round ${round}: three`);
      await context.setOffline(false);
    },
    async reload(round) {
      const pause = await network.pause(context, SEND_URL);
      await write(second, `round ${round}: two`);
      await first.reload();
      await write(first, `round ${round}: three`);
      await pause.end();
    },
    async response(round) {
      const interception = await network.dropResponse(context, SEND_URL, { times: 1 });
      await write(second, `round ${round}: two`);
      await write(first, `round ${round}: three`);
      await expect.poll(() => interception.urls.length).toBeGreaterThan(0);
      await interception.end();
    },
    async tab(round) {
      await context.setOffline(true);
      await write(second, `round ${round}: two`);
      await second.close();
      await context.setOffline(false);
      second = await openTab();
      await write(second, `round ${round}: three`);
    },
    async service(round) {
      await ownService.kill();
      await write(second, `round ${round}: two`);
      await write(first, `round ${round}: three`);
      await ownService.start();
    },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await write(first, `round ${round}: one`);
    await whileBroken[BREAKS[round % BREAKS.length]!](round);
    const expected = ["one", "two", "three"].map((text) => `round ${round}: ${text}`);
    for (const page of [first, second]) {
      for (const text of expected) await expectSent(page, text);
      await expect.poll(() => textsInOrder(page, new RegExp(`round ${round}: \\w+`))).toEqual(expected);
    }
  }
  const stored = (await loadMessages(owner, project.id)).map(({ body }) => body);
  reportFaults("browser: messages", "chromium", {
    broken: ROUNDS,
    acknowledged: written.length,
    lost: written.filter((text) => !stored.includes(text)).length,
    doubled: stored.length - new Set(stored).size,
    misplaced: written.filter((text, index) => stored[index] !== text).length,
  });
  expect(stored).toEqual(written);
});
