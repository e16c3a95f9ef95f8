/** Parses the arguments of `npm run bench`. */

export interface BenchArguments {
  /** Names of benchmarks; empty: every row of the table. They run in the order of the table. */
  names: string[];
  shows: "results" | "list" | "markdown";
  /** Keeps the data set for the next run. */
  keep: boolean;
  /** Shortens everything, to see that it works. */
  quick: boolean;
}

const SHOWS: Readonly<Record<string, BenchArguments["shows"]>> = { "--list": "list", "--markdown": "markdown" };

/** Throws an error for people if an option or a name is unknown. */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const parsed: BenchArguments = { names: [], shows: "results", keep: false, quick: false };
  for (const argument of args) {
    const shows = SHOWS[argument];
    if (shows) parsed.shows = shows;
    else if (argument === "--keep") parsed.keep = true;
    else if (argument === "--quick") parsed.quick = true;
    else if (argument.startsWith("-")) throw new Error(`Unknown option ${argument}. Options: --list, --keep, --quick, --markdown, --help.`);
    else if (!known.includes(argument)) throw new Error(`There is no benchmark "${argument}". Benchmarks: ${known.join(", ")}.`);
    else if (!parsed.names.includes(argument)) parsed.names.push(argument);
  }
  return parsed;
}
