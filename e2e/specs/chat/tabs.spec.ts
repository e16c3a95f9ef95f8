import { createProject, history, join, write } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, expectSent, message, railProject, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("two tabs of one person stay in step", async ({ pair: { ana, ben, project }, open, guard }) => {
  const first = await open(ana, `/projects/${project.id}/chat`);
  const second = await first.context().newPage();
  await second.goto(first.url());
  await expect(composer(second)).toBeVisible();
  await composer(first).fill("half a sentence");
  await expect(composer(second)).toHaveValue("half a sentence");
  await composer(second).fill("");
  await expect(composer(first)).toHaveValue("");
  await send(first, "from the first tab");
  await send(second, "from the second tab");
  await write(ben, project.id, "from somebody else");
  for (const tab of [first, second]) {
    for (const from of ["the first tab", "the second tab", "somebody else"]) await expectSent(tab, `from ${from}`);
  }
  expect(await history(ana, project.id)).toHaveLength(3);

  guard.allow(answered(401));
  await first.goto(`${ana.url}/settings/profile`);
  await first.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("what one tab reads is read in the other", async ({ house: { owner }, pair: { ben, project }, open }, info) => {
  const other = await createProject(owner, unique("Elsewhere", info.testId));
  const reader = await join(owner, unique("Rea", info.testId), "member", [project.id, other.id]);
  const first = await open(reader, `/projects/${other.id}/chat`);
  const second = await first.context().newPage();
  await second.goto(`${reader.url}/settings/profile`);
  await expect(railProject(second, project.name)).toBeVisible();
  await write(ben, project.id, "news");
  await expect(railProject(second, `${project.name} 1 unread message`)).toBeVisible();
  await expect(second).toHaveTitle(/^\(1\) /);
  await first.bringToFront();
  await railProject(first, project.name).click();
  await expect(message(first, "news")).toBeInViewport();
  await expect(railProject(second, project.name)).toHaveAccessibleName(project.name);
});

test("a light theme chosen in one tab is light in the other", async ({ pair: { ana }, open }) => {
  const first = await open(ana, "/settings/profile", { colorScheme: "dark" });
  const second = await first.context().newPage();
  await second.goto(`${ana.url}/settings/sessions`);
  await expect(second.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await first.getByRole("radio", { name: "Light" }).check();
  await expect(second.locator("html")).toHaveAttribute("data-theme", "light");
});
