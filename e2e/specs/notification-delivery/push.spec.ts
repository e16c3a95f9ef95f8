import { type MailServer, startMailServer } from "../../../server/testing/mail-server.ts";
import { type PushService, startPushService } from "../../../server/testing/push-service.ts";
import { createMessage, createProject, joinByInvite, setUpOwner, signIn, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { confirmAddresses } from "../../fixtures/mail.ts";
import { message, sectionOf } from "../../fixtures/pages.ts";
import { installPushBrowser } from "../../fixtures/push-browser.ts";
import { expect, test as base } from "../../fixtures/test.ts";

interface Studio {
  owner: Person;
  ana: Person;
  projectId: number;
  push: PushService;
  mails: MailServer;
}

/** A service that sends push messages and emails to this machine. */
const test = base.extend<{ studio: Studio }>({
  studio: async ({ startServiceWith }, use) => {
    const push = await startPushService();
    const mails = await startMailServer();
    const service = await startServiceWith({
      WEBHOOK_ALLOW_HTTP: "on",
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SMTP_URL: mails.url,
      MAIL_FROM: "Northlight <talkback@northlight.test>",
      MAIL_REPLY_TO: "desk@northlight.test",
      MAIL_DELAY: "0",
    });
    const owner = await setUpOwner(service.url, service.setupLink());
    const { id: projectId } = await createProject(owner, "Nightdrive");
    const ana = await joinByInvite(owner, "Ana", "member", [projectId]);
    await confirmAddresses(mails, [owner, ana]);
    await use({ owner, ana, projectId, push, mails });
    await push.close();
    await mails.close();
  },
});
const SETTINGS = "/settings/notifications";
/** The request for the number of unread notifications. */
const COUNT = /\/api\/v2\/notifications\?.*limit=1(&|$)/;

test("a mention reaches a closed browser by push and an inbox by email, and a click on it opens the message", async ({ studio, open }) => {
  const { owner, ana, projectId, push, mails } = studio;
  const page = await open(ana, "/settings/profile", { serviceWorkers: "allow" });
  const browser = await installPushBrowser(page.context(), push.target);
  await page.goto(`${ana.url}${SETTINGS}`);
  const section = sectionOf(page, "Push notifications");
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("status")).toHaveText("On");
  await section.getByRole("button", { name: "Send a test" }).click();
  await expect(section.getByText(/^Sent\. It appears in a moment/)).toBeVisible();
  await push.waitForPushes(1);
  expect(await browser.deliver(push.received[0]!.text)).toMatchObject({ title: "Notifications are on", path: SETTINGS });

  const context = page.context();
  const lastTab = await context.newPage();
  await lastTab.goto(`${ana.url}/icon.svg`);
  await page.goto("about:blank");
  const { id } = await createMessage(owner, projectId, `<@${ana.id}> Bass is hot at 1:23`);
  await push.waitForPushes(2);
  await mails.waitForMails(1);
  const shown = await browser.deliver(push.received[1]!.text);
  expect(shown).toMatchObject({
    title: "Olga Owner mentioned you in Nightdrive",
    body: expect.stringContaining("Bass is hot at 1:23"),
    path: `/projects/${projectId}/chat/${id}`,
  });
  expect(mails.received).toMatchObject([{ to: [ana.email], headers: { subject: shown.title, "reply-to": "desk@northlight.test" } }]);
  expect(mails.received[0]!.text).toContain(`${ana.url}${shown.path}\n`);

  // The open page navigates by itself and keeps what was written.
  await lastTab.goto(`${ana.url}/projects/${projectId}/members`);
  // Part of what the shell loads after the first paint, as is what opens the page.
  await lastTab.getByRole("button", { name: "Create" }).click();
  await lastTab.keyboard.press("Escape");
  await browser.click(shown.path);
  await expect(lastTab).toHaveURL(`${ana.url}${shown.path}`);
  await expect(message(lastTab, "Bass is hot at 1:23")).toBeVisible();
  expect(await browser.openedWindows()).toEqual([]);
  // A page that cannot show it does not answer.
  await lastTab.goto(`${ana.url}/icon.svg`);
  await browser.click(shown.path);
  await expect.poll(() => browser.openedWindows()).toEqual([`${ana.url}${shown.path}`]);
});

test("a browser that does not allow notifications says how to change that, with the keyboard alone and without axe violations", async ({ studio, open }) => {
  const { ana, push } = studio;
  const page = await open(ana, "/settings/profile", { serviceWorkers: "allow" });
  const browser = await installPushBrowser(page.context(), push.target);
  await page.goto(`${ana.url}${SETTINGS}`);
  await browser.answer("denied");
  const section = sectionOf(page, "Push notifications");
  await section.getByRole("button", { name: "Turn on" }).focus();
  await page.keyboard.press("Enter");
  await expect(section.getByRole("status")).toHaveText("Blocked");
  await expect(section.getByText(/Allow them in its site settings/)).toBeVisible();
  await expectAccessible(page);
});

test("every browser that gets push messages is listed and can be turned off from another one; signing out turns it off", async ({ studio, open }) => {
  const { ana, push } = studio;
  const laptop = await open(ana, "/settings/profile", { serviceWorkers: "allow" });
  await installPushBrowser(laptop.context(), push.target);
  await laptop.goto(`${ana.url}${SETTINGS}`);
  await sectionOf(laptop, "Push notifications").getByRole("button", { name: "Turn on" }).click();
  await expect(sectionOf(laptop, "Push notifications").getByRole("status")).toHaveText("On");

  const elsewhere = await signIn(ana.url, ana.email);
  const phone = await open({ ...ana, cookie: elsewhere.cookie }, SETTINGS, { viewport: { width: 390, height: 844 } });
  const row = sectionOf(phone, "Push notifications").getByRole("listitem").filter({ hasText: "On since " });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Turn off in / }).click();
  await expect(row).toHaveCount(0);
  // The laptop hears of it without a reload.
  await expect(sectionOf(laptop, "Push notifications").getByRole("status")).toHaveText("Off");

  await sectionOf(laptop, "Push notifications").getByRole("button", { name: "Turn on" }).click();
  await expect(row).toHaveCount(1);
  await laptop.getByRole("link", { name: "Sessions" }).click();
  await laptop.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(laptop).toHaveURL(/\/sign-in/);
  await phone.reload();
  await expect(sectionOf(phone, "Push notifications").getByRole("status")).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a first mention offers notifications; the browser asks only after a click, and Not now is remembered", async ({ studio, open, pageErrors }) => {
  const { owner, ana, projectId, push } = studio;
  const page = await open(ana, "/settings/profile", { serviceWorkers: "allow" });
  await installPushBrowser(page.context(), push.target);
  const counted = page.waitForResponse(COUNT);
  await page.goto(`${ana.url}/tasks`);
  await (await counted).finished();
  const prompt = page.getByRole("region", { name: "Browser notifications" });
  await expect(page.getByRole("button", { name: "Create" })).toBeVisible();
  await expect(prompt).toHaveCount(0);
  await createMessage(owner, projectId, `<@${ana.id}> Bass is hot`);
  await expect(prompt).toBeVisible();
  await expectAccessible(page);
  await prompt.getByRole("button", { name: "Not now" }).click();
  await expect(prompt).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "My tasks", level: 1 })).toBeFocused();
  await page.goto(`${ana.url}/notifications`);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await expect(prompt).toHaveCount(0);

  const another = await open(owner, "/settings/profile", { serviceWorkers: "allow" });
  await installPushBrowser(another.context(), push.target);
  const countedAgain = another.waitForResponse(COUNT);
  await another.goto(`${owner.url}/tasks`);
  await (await countedAgain).finished();
  // The offer is among what the shell loads after the first paint.
  await expect(another.getByRole("button", { name: "Create" })).toBeVisible();
  await createMessage(ana, projectId, `<@${owner.id}> It is fine`);
  const turnOn = another.getByRole("region", { name: "Browser notifications" }).getByRole("button", { name: "Turn on" });
  // A failure of the network is no answer: it can be tried again.
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await another.context().route("**/api/v2/push-key", (route) => route.abort("internetdisconnected"), { times: 1 });
  await turnOn.click();
  await expect(another.getByText("Couldn't turn on notifications.")).toBeVisible();
  await turnOn.click();
  await expect(another.getByText("Notifications are on in this browser.")).toBeVisible();
});
