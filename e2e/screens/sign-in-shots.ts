/** Lists the screenshots of sign-in, setup, invites, password resets, and the first steps after them. */
import type { Page } from "@playwright/test";
import { fixedPath, fullShot, signedOut, type Shot } from "./shot.ts";

/** Mocks the service's response about the demo. */
const mockDemoState = (state: "none" | "running" | "failed") => (page: Page) =>
  page.route("**/api/v2/demo", (route) =>
    route.fulfill({
      json: {
        object: "demo",
        data: {
          state,
          possible: state !== "running",
          step: state === "running" ? "songs" : null,
          progress: 0.36,
          project_id: null,
          failure: state === "failed" ? "There is no space left on the disk." : null,
        },
      },
    }),
  );

async function signInAs(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Email or username" }).fill("ana@northlight.example");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
}
const refuseSignIn = (problem: { status: number; detail: string; organisations?: { id: number; name: string }[] }) => (page: Page) =>
  page.route("**/api/v2/session", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: problem.status, contentType: "application/problem+json", json: { object: "error", title: "Refused", ...problem } })
      : route.continue(),
  );

export const SIGN_IN_SHOTS: readonly Shot[] = [
  fullShot("sign-in", fixedPath("/sign-in"), (page) => page.getByRole("button", { name: "Sign in" }), { as: signedOut }),
  fullShot(
    "setup",
    ({ setupLink }) => setupLink,
    (page) => page.getByRole("button", { name: "Create organization" }),
    { as: signedOut },
  ),
  fullShot(
    "invite",
    ({ inviteLink }) => inviteLink,
    (page) => page.getByRole("button", { name: "Join" }),
    { as: signedOut },
  ),
  fullShot("welcome", fixedPath("/welcome"), (page) => page.getByRole("button", { name: "Start from scratch" }), { before: mockDemoState("none") }),
  fullShot("welcome-making", fixedPath("/welcome"), (page) => page.getByRole("progressbar"), { before: mockDemoState("running") }),
  fullShot("welcome-failed", fixedPath("/welcome"), (page) => page.getByRole("button", { name: "Try again" }), { before: mockDemoState("failed") }),
  fullShot(
    "reset",
    ({ resetLink }) => resetLink,
    (page) => page.getByRole("button", { name: "Save and sign in" }),
    { as: signedOut },
  ),
  fullShot("reset-invalid", fixedPath("/reset#token"), (page) => page.getByText("no longer valid"), { as: signedOut }),
  fullShot("docs", fixedPath("/docs"), (page) => page.getByRole("heading", { level: 1 }), { as: signedOut }),
  fullShot("sign-in-organizations", fixedPath("/sign-in"), (page) => page.getByRole("button", { name: /Organization/ }), {
    as: signedOut,
    before: refuseSignIn({
      status: 409,
      detail: "You have an account in several organizations. Choose one.",
      organisations: [
        { id: 1, name: "Northlight Audio" },
        { id: 2, name: "Signal Path LP" },
      ],
    }),
    act: signInAs,
  }),
  fullShot("sign-in-limited", fixedPath("/sign-in"), (page) => page.getByRole("alert"), {
    as: signedOut,
    before: refuseSignIn({ status: 429, detail: "Too many failed attempts. Try again in 15 minutes." }),
    act: signInAs,
  }),
  {
    view: "sign-in",
    state: "error",
    as: signedOut,
    path: fixedPath("/sign-in"),
    act: async (page) => {
      await page.getByRole("textbox", { name: "Email or username" }).fill("ana@northlight.example");
      await page.getByLabel("Password", { exact: true }).fill("not her password");
      await page.getByRole("button", { name: "Sign in" }).click();
    },
    ready: (page) => page.getByRole("alert"),
  },
];
