import { loadMessages, createInviteLink, PASSWORD, type Person } from "../../fixtures/api.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, expectSent, message, rail, send } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

const messageBodies = async (person: Person, projectId: number) => (await loadMessages(person, projectId)).map(({ body }) => body);

test("pending messages of a tab are not sent as an account that signs in from another tab, and are sent when their author returns", async ({
  organization: { owner },
  pair: { ana, project },
  open,
  pageErrors,
}, info) => {
  pageErrors.allow(statusError(412));
  pageErrors.allow(/ERR_FAILED/);
  const tab = await open(ana, `/projects/${project.id}/chat`);
  let isBlocked = true;
  await tab.route("**/v1/account/projects/chat_message", (route) => (isBlocked ? route.abort() : route.continue()));
  await send(tab, "Ana wrote this");
  await expect(message(tab, "Ana wrote this")).toContainText("Waiting");

  const other = await tab.context().newPage();
  await other.goto(await createInviteLink(owner, "member", [project.id]));
  const name = uniqueName("Cleo", info.testId);
  await other.getByRole("textbox", { name: "Your name" }).fill(name);
  await other.getByRole("textbox", { name: "Email" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Join" }).click();
  await expect(rail(other)).toBeVisible();

  // The route stays, because removing it while the tab reloads could leave that load without a response.
  isBlocked = false;
  await expect(rail(tab).getByRole("button", { name: `${name}, your account` })).toBeVisible();
  await expect(composer(tab)).toBeVisible();
  for (const page of [tab, other]) await expect(message(page, "Ana wrote this")).toHaveCount(0);
  expect(await loadMessages(ana, project.id)).toEqual([]);

  await tab.context().addCookies([{ name: ana.cookie.split("=")[0]!, value: ana.cookie.slice(ana.cookie.indexOf("=") + 1), url: ana.url }]);
  // Opens a new tab, because the other tabs detect her session by themselves and reload at this moment.
  const returnTab = await tab.context().newPage();
  await returnTab.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect.poll(async () => (await loadMessages(ana, project.id)).map(({ body, account_id }) => [body, account_id])).toEqual([["Ana wrote this", ana.id]]);
});

test("no other account sees or sends the messages left in the outbox, which wait for their author", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const context = page.context();
  await context.route("**/v1/account/projects/chat_message", (route) => route.abort("internetdisconnected"));
  await send(page, "from Ana alone");
  await expect(message(page, "from Ana alone")).toContainText("Waiting to send");
  const signInAs = async (person: Person) => {
    // Leaves the client first: it would notice the other account and reload, which aborts a navigation in progress.
    await page.goto("about:blank");
    await context.clearCookies();
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: person.url }]);
    await page.goto(`${person.url}/projects/${project.id}/chat`);
    await expect(composer(page)).toBeVisible();
  };
  await signInAs(ben);
  await context.unroute("**/v1/account/projects/chat_message");
  await send(page, "from Ben");
  await expectSent(page, "from Ben");
  await expect(message(page, "from Ana alone")).toHaveCount(0);
  expect(await messageBodies(ana, project.id)).toEqual(["from Ben"]);
  await signInAs(ana);
  await expectSent(page, "from Ana alone");
  const stored = await loadMessages(ana, project.id);
  expect(stored.map(({ body, account_id }) => [body, account_id])).toEqual([
    ["from Ben", ben.id],
    ["from Ana alone", ana.id],
  ]);
});
