/** Runs the command as a process, because what counts is where the password comes from and what the terminal shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceEnvironment } from "../testing/service-process.ts";

const PASSWORD = "correct horse battery";
const ARGUMENTS = ["--organisation", "Northwind", "--username", "mia", "--email", "mia@talkback.test"];

describe("create-owner", { timeout: 60_000 }, () => {
  let dataDir: string;
  beforeAll(() => void (dataDir = mkdtempSync(join(tmpdir(), "talkback-cli-"))));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  async function run(input: string, args: readonly string[] = ARGUMENTS, [program, ...prefix]: [string, ...string[]] = [process.execPath]) {
    const command = ["server/cli/main.ts", "create-owner", ...args];
    // `script` gives the command a terminal; it takes the command as one text.
    const all = program === "script" ? [...prefix, [process.execPath, ...command].join(" "), "/dev/null"] : [...prefix, ...command];
    const child = spawn(program, all, { env: serviceEnvironment(dataDir, {}), stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (program === "script" && text.includes("Password of the owner: ")) child.stdin.write(input);
      });
    if (program !== "script") child.stdin.end(input);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  }

  it("reads the password as one line of standard input", async () => {
    expect(await run(`${PASSWORD}\nnot the password\n`)).toEqual({
      code: 0,
      output: "Created Northwind with its owner mia.\nSign in at http://127.0.0.1:3000/sign-in\n",
    });
  });
  it.each([
    ["no password", "", ARGUMENTS, "--password must have at least 12 characters."],
    ["a long password", "x".repeat(257), ARGUMENTS, "--password must have at most 256 characters."],
    ["an @ in the name", PASSWORD, ARGUMENTS.with(3, "a@b"), "--username must not contain @."],
    ["an invisible character in the name", PASSWORD, ARGUMENTS.with(3, "mia\u3164"), "--username must not contain invisible characters."],
    ["no address", PASSWORD, ARGUMENTS.with(5, "mia"), "--email must be a valid email address."],
  ])("refuses %s as the API does", async (_case, password, args, message) => {
    const { code, output } = await run(`${password}\n`, args);
    expect([code, output.split("\n")[0]]).toEqual([1, message]);
  });
  it.skipIf(!existsSync("/usr/bin/script"))("asks on a terminal and does not show what is typed", async () => {
    const { code, output } = await run(`${PASSWORD}\r`, ARGUMENTS.with(3, "another").with(5, "another@talkback.test"), ["script", "-qec"]);
    expect(output).toContain("Password of the owner: ");
    expect(output).toContain("Created Northwind with its owner another.");
    expect(output).not.toContain(PASSWORD);
    expect(code).toBe(0);
  });
});
