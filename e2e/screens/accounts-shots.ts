/** Lists the screenshots of pictures, local times and the card of a person. */
import type { Page } from "@playwright/test";
import { setAvatar } from "../../contract/operations/account-profiles.ts";
import { updateAccount } from "../../contract/operations/accounts.ts";
import { call, type Person } from "../fixtures/api.ts";
import { composer, dialog, message } from "../fixtures/pages.ts";
import { createPicture } from "../fixtures/pictures.ts";
import { fixedPath, main, type Scene, type Shot } from "./shot.ts";

const ben = ({ sampleChat }: Scene) => sampleChat.ben;
const sampleChatPath = ({ sampleChat }: Scene) => `/projects/${sampleChat.projectId}/chat`;
const NIGHT = { days: [1, 2, 3, 4, 5], start: "22:00", end: "06:00" };
/** No hours of today, whichever day it is. */
const otherDay = (): number => ((new Date().getUTCDay() + 2) % 7) + 1;

async function uploadPicture(person: Person, left: readonly [number, number, number], right: readonly [number, number, number]): Promise<void> {
  const response = await fetch(`${person.url}${setAvatar.path}`, {
    method: "PUT",
    headers: { origin: person.url, cookie: person.cookie, "content-type": "application/octet-stream" },
    body: createPicture(256, 256, left, right).buffer,
  });
  if (!response.ok) throw new Error(`The picture of ${person.name} was refused: ${response.status}`);
}

const profiles = new WeakMap<Scene, Promise<void>>();

/** Fills the profiles once, before the first of the shots that run at the same time. */
function fillProfiles(_page: Page, scene: Scene): Promise<void> {
  const filled = profiles.get(scene) ?? createProfiles(scene);
  profiles.set(scene, filled);
  return filled;
}

/** Gives Ben a picture and working hours that are over, and Ana a time zone. */
async function createProfiles({ ana, sampleChat }: Scene): Promise<void> {
  await call(ana, updateAccount, { body: { time_zone: "Europe/Zagreb", working_hours: NIGHT, locale: "en-IE" } });
  await call(sampleChat.ben, updateAccount, {
    body: { time_zone: "America/Los_Angeles", working_hours: { days: [otherDay()], start: "09:00", end: "17:30" }, user_info: "Mastering\nCall before nine" },
  });
  await uploadPicture(sampleChat.ben, [92, 124, 250], [58, 82, 190]);
}

const openCard = async (page: Page, { sampleChat }: Scene) => {
  await page.getByRole("button", { name: sampleChat.ben.name }).last().click();
};
const benCard = (page: Page) => dialog(page, /^Profile of /);
const profileShot = (state: string, overrides: Partial<Shot>): Shot => ({
  view: "accounts-profile",
  state,
  as: ben,
  path: fixedPath("/settings/profile"),
  before: fillProfiles,
  ready: (page) => main(page).locator("img"),
  ...overrides,
});

export const ACCOUNTS_SHOTS: Shot[] = [
  profileShot("full", {}),
  profileShot("place", { act: (page) => page.getByRole("button", { name: "Save time and region" }).scrollIntoViewIfNeeded() }),
  profileShot("zones", {
    act: (page) => page.getByRole("button", { name: /Time zone/ }).click(),
    ready: (page) =>
      page
        .getByRole("option", { name: /^Abidjan/ })
        .or(page.getByRole("listbox"))
        .first(),
  }),
  profileShot("crop", {
    act: (page) => page.locator("[data-picture]").setInputFiles(createPicture(800, 500)),
    ready: (page) => dialog(page, "Position your picture"),
  }),
  {
    view: "accounts-members",
    state: "full",
    as: ({ ana }) => ana,
    path: ({ sampleChat }) => `/projects/${sampleChat.projectId}/members`,
    before: fillProfiles,
    ready: (page) => main(page).getByText("outside working hours").first(),
  },
  { view: "accounts-card", state: "other", as: ({ ana }) => ana, path: sampleChatPath, before: fillProfiles, act: openCard, ready: benCard },
  { view: "accounts-card", state: "own", as: ben, path: sampleChatPath, before: fillProfiles, act: openCard, ready: benCard },
  {
    view: "accounts-composer",
    state: "off-hours",
    as: ({ ana }) => ana,
    path: sampleChatPath,
    before: fillProfiles,
    async act(page, { sampleChat }) {
      await composer(page).pressSequentially(`@${sampleChat.ben.name.slice(0, 6)}`);
      await page.keyboard.press("Enter");
      await message(page, sampleChat.ben.name).last().waitFor();
    },
    ready: (page) => page.getByText("outside their working hours.").first(),
  },
];
