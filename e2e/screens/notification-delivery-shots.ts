/** Lists the screenshots of push messages and emails in the settings, and of the page that unsubscribes. */
import type { Page } from "@playwright/test";
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
const mockMail = (enabled: boolean) => async (page: Page) => {
  await page.route("**/api/v2/service", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { features: string[] } };
    json.data.features.push("mail");
    await route.fulfill({ response, json });
  });
  await page.route("**/api/v2/mail-settings", (route) =>
    route.fulfill({ json: { object: "mail_settings", data: { email: "ana@northlight.example", enabled } } }),
  );
  await mockBrowser("default", false)(page);
};
const mockLink = (enabled: boolean) => (page: Page) =>
  page.route("**/api/v2/mail-links/preview", (route) =>
    route.fulfill({ json: { object: "mail_link", data: { organisation: "Northlight Audio", email: "ana@northlight.example", enabled } } }),
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
  shot("mail", mockMail(true), mail, "ana@northlight.example"),
  shot("mail-unsubscribed", mockMail(false), mail, "You have unsubscribed from all emails."),
  fullShot("unsubscribe", fixedPath("/unsubscribe#token"), (page) => page.getByRole("button", { name: "Unsubscribe from all emails" }), {
    as: signedOut,
    before: mockLink(true),
  }),
  fullShot("unsubscribe-done", fixedPath("/unsubscribe#token"), (page) => page.getByRole("button", { name: "Subscribe again" }), {
    as: signedOut,
    before: mockLink(false),
  }),
  fullShot("unsubscribe-invalid", fixedPath("/unsubscribe#token"), (page) => page.getByText("This link no longer works"), { as: signedOut }),
];
