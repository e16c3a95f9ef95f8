import { createProject, createMessage } from "../../fixtures/api.ts";
import { composer, expectSent, message, rail, railProject, send, timeline } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

const HOSTILE = `<img src=x onerror="window.pwned=1"><script>window.pwned=2</script> & <b>bold</b>`;

test("text shows as typed: HTML, links, line breaks and 10,000 characters; a draft stays while another project is open", async ({
  organization: { owner },
  open,
}, info) => {
  const project = await createProject(owner, uniqueName(`${HOSTILE} `.slice(0, 90), info.testId));
  const other = await createProject(owner, uniqueName("Other", info.testId));
  const page = await open(owner, `/projects/${project.id}/chat`);

  await test.step("whitespace alone is not sent", async () => {
    await send(page, "   \n  ");
    await expect(page.getByText("No messages yet")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send" })).toHaveAttribute("aria-disabled", "true");
  });

  await test.step("HTML and scripts show as text", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(project.name);
    await expect(rail(page).getByText(project.name)).toBeVisible();
    await send(page, HOSTILE);
    await expectSent(page, HOSTILE);
    await createMessage(owner, project.id, `${HOSTILE} again`);
    await expect(message(page, `${HOSTILE} again`)).toBeVisible();
    await page.reload();
    await expect(message(page, `${HOSTILE} again`)).toBeVisible();
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    await expect(timeline(page).locator("img, script, b")).toHaveCount(0);
  });

  await test.step("links can be clicked, and line breaks are preserved", async () => {
    await composer(page).fill("Delivery spec:");
    await composer(page).press("Shift+Enter");
    await composer(page).pressSequentially("https://northlight.example/spec.pdf");
    await composer(page).press("Enter");
    await expect(page.getByRole("link", { name: "https://northlight.example/spec.pdf" })).toHaveAttribute("rel", /noopener/);
    await expect.poll(() => message(page, "Delivery spec:").innerText()).toContain("Delivery spec:\nhttps://northlight.example/spec.pdf");
  });

  await test.step("a draft stays while another project is open", async () => {
    await composer(page).fill("half a thou");
    await railProject(page, other.name).click();
    await expect(composer(page)).toHaveAccessibleName(`Message ${other.name}`);
    await expect(composer(page)).toHaveValue("");
    await page.goBack();
    await expect(composer(page)).toHaveAccessibleName(`Message ${project.name}`);
    await expect(composer(page)).toHaveValue("half a thou");
  });

  await test.step("10,001 characters are rejected before sending, 10,000 are sent", async () => {
    await composer(page).fill("x".repeat(10_001));
    await expect(page.getByText("1 character too long")).toBeVisible();
    await expect(composer(page)).toHaveAttribute("aria-invalid", "true");
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue("x".repeat(10_001));
    await composer(page).press("Backspace");
    await expect(page.getByText("0 characters left")).toBeVisible();
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue("");
    const row = message(page, "x".repeat(10_000));
    await expect(row).toHaveCount(1);
    // The text starts collapsed; once expanded, it stays expanded while scrolling.
    const getHeight = async () => (await row.boundingBox())?.height ?? Number.NaN;
    await expect.poll(getHeight).toBeLessThan(420);
    await row.getByRole("button", { name: "Show all" }).click();
    await expect.poll(getHeight).toBeGreaterThan(1_000);
    await row.getByRole("button", { name: "Show less" }).click();
    await expect.poll(getHeight).toBeLessThan(420);
    await expect(row.getByRole("button", { name: "Show all" })).toBeInViewport();
    await expect(createMessage(owner, project.id, "x".repeat(10_001))).rejects.toThrow(/400 .*at most 10,000 characters/s);
  });
});
