/** Lists the screenshots of push messages and emails in the settings, and of the page that unsubscribes. */
import type { Page } from "@playwright/test";
import type { MailConfirmation, MailLink, MailSettings } from "../../contract/notification-delivery-records.ts";
import { sectionOf } from "../fixtures/pages.ts";
import { ana, fixedPath, fullShot, signedOut, type Shot } from "./shot.ts";

const settingsPath = fixedPath("/settings/notifications");
const OTHERS = [
  {
    user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 Version/20.0 Mobile/15E148 Safari/604.1",
    created_at: "2026-11-02T08:00:00.000Z",
  },
  { user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0", created_at: "2026-10-12T08:00:00.000Z" },
];

/** Lets the page find a permission, and a subscription of this browser. */
const mockBrowser = (permission: NotificationPermission, isSubscribed: boolean) => async (page: Page) => {
  await page.addInitScript(
    ({ given, subscribed }) => {
      if (!("Notification" in window)) return;
      Object.defineProperty(Notification, "permission", { get: () => given });
      const subscription = { toJSON: () => ({ endpoint: "https://push.example/1", keys: {} }) };
      ServiceWorkerContainer.prototype.getRegistration = async () =>
        ({ pushManager: { getSubscription: async () => (subscribed ? subscription : null) } }) as unknown as ServiceWorkerRegistration;
    },
    { given: permission, subscribed: isSubscribed },
  );
  const current = { user_agent: "Chrome", created_at: "2026-11-20T08:00:00.000Z" };
  const subscriptions = [...(isSubscribed ? [current] : []), ...OTHERS].map((one, index) => ({ id: index + 1, current: one === current, ...one }));
  await page.route("**/api/v2/push-subscriptions", (route) => route.fulfill({ json: { object: "list", data: subscriptions } }));
};

/** Adds emails to what the service offers. */
const mockMail = (settings: Partial<MailSettings>) => async (page: Page) => {
  await page.route("**/api/v2/service", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { features: string[] } };
    json.data.features.push("mail");
    await route.fulfill({ response, json });
  });
  const data: MailSettings = { email: "ana@northlight.example", enabled: true, address_status: "confirmed", ...settings };
  await page.route("**/api/v2/mail-settings", (route) => route.fulfill({ json: { object: "mail_settings", data } }));
  await mockBrowser("default", false)(page);
};
const OF_ACCOUNT = { organisation: "Northlight Audio", email: "ana@northlight.example" };
const OF_ADDRESS = { organisation: null, email: null };
const mockLink =
  (enabled: boolean, link: Omit<MailLink, "enabled"> = OF_ACCOUNT) =>
  (page: Page) =>
    page.route("**/api/v2/mail-links/preview", (route) => route.fulfill({ json: { object: "mail_link", data: { ...link, enabled } } }));
const mockConfirmation = (confirmed: boolean) => (page: Page) => {
  const data: MailConfirmation = { organisation: "Northlight Audio", username: "Ana Kovač", email: "ana@northlight.example", confirmed };
  return page.route("**/api/v2/mail-confirmations/preview", (route) => route.fulfill({ json: { object: "mail_confirmation", data } }));
};
const mockUnusableConfirmation = (status: number) => (page: Page) =>
  page.route("**/api/v2/mail-confirmations/preview", (route) =>
    route.fulfill({ status, contentType: "application/problem+json", json: { type: "about:blank", title: "Error", status, detail: "This link is unusable." } }),
  );

const push = (page: Page) => sectionOf(page, "Push notifications");
const mail = (page: Page) => sectionOf(page, "Email");
const scrollTo = (section: (page: Page) => ReturnType<typeof push>) => (page: Page) => section(page).scrollIntoViewIfNeeded();
const shot = (state: string, mock: NonNullable<Shot["before"]>, section: typeof push, ready: string): Shot => ({
  view: "settings-push",
  state,
  as: ana,
  path: settingsPath,
  before: mock,
  act: scrollTo(section),
  ready: (page) => section(page).getByText(ready, { exact: true }).first(),
});

export const NOTIFICATION_DELIVERY_SHOTS: readonly Shot[] = [
  shot("off", mockBrowser("default", false), push, "Off"),
  shot("on", mockBrowser("granted", true), push, "On"),
  shot("blocked", mockBrowser("denied", false), push, "Blocked"),
  shot("mail", mockMail({}), mail, "ana@northlight.example"),
  shot("mail-unsubscribed", mockMail({ enabled: false }), mail, "You have unsubscribed from all emails."),
  shot("mail-unconfirmed", mockMail({ address_status: "unconfirmed" }), mail, "Confirm this address to get emails."),
  shot("mail-sent", mockMail({ address_status: "confirmation_sent" }), mail, "Send again"),
  shot("mail-undeliverable", mockMail({ address_status: "undeliverable" }), mail, "Send again"),
  shot("mail-unsubscribed-by-link", mockMail({ address_status: "unsubscribed_by_link" }), mail, "Send confirmation email"),
  shot("mail-blocked", mockMail({ address_status: "blocked" }), mail, "Edit profile"),
  {
    view: "settings-profile",
    state: "address",
    as: ana,
    path: fixedPath("/settings/profile"),
    before: mockMail({ address_status: "unconfirmed" }),
    ready: (page) => page.getByText("Gets no emails until you confirm it."),
  },
  fullShot("confirm-email", fixedPath("/confirm-email#token"), (page) => page.getByRole("button", { name: "Confirm email address" }), {
    as: signedOut,
    before: mockConfirmation(false),
  }),
  fullShot("confirm-email-done", fixedPath("/confirm-email#token"), (page) => page.getByText("Your email address is confirmed"), {
    as: signedOut,
    before: mockConfirmation(true),
  }),
  fullShot("confirm-email-expired", fixedPath("/confirm-email#token"), (page) => page.getByText("This link has expired"), {
    as: signedOut,
    before: mockUnusableConfirmation(410),
  }),
  fullShot("unsubscribe", fixedPath("/unsubscribe#token"), (page) => page.getByRole("button", { name: "Unsubscribe from all emails" }), {
    as: signedOut,
    before: mockLink(true),
  }),
  fullShot("unsubscribe-done", fixedPath("/unsubscribe#token"), (page) => page.getByRole("button", { name: "Subscribe again" }), {
    as: signedOut,
    before: mockLink(false),
  }),
  fullShot("block-address", fixedPath("/unsubscribe#token"), (page) => page.getByRole("button", { name: "Stop emails to this address" }), {
    as: signedOut,
    before: mockLink(true, OF_ADDRESS),
  }),
  fullShot("unsubscribe-invalid", fixedPath("/unsubscribe#token"), (page) => page.getByText("This link no longer works"), { as: signedOut }),
];
