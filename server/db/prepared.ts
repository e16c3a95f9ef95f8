/** Statements that run so often that building and compiling them each time would cost more than SQLite takes to execute them. */
import type { Compilable, CompiledQuery, RawBuilder } from "kysely";
import type { Engine } from "./database.ts";
import type { Db } from "./schema.ts";

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a function that runs a statement with new values. `build` is called once for each kind of connection; its second argument has a placeholder for each
 * value, and may be used only where a statement takes a value. It must not decide anything by a value.
 */
export function prepareStatement<Values extends object, Row>(
  build: (db: Db, placeholders: Values) => Compilable<Row> | RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compiledBy = new WeakMap<object, CompiledQuery<Row>>();
  const placeholders = new Proxy({} as Values, { get: (_target, name) => new Placeholder(String(name)) });
  return async (db, values) => {
    // Connections of one kind, and their transactions, have the same adapter.
    const { adapter } = db.getExecutor();
    let compiled = compiledBy.get(adapter);
    if (!compiled) {
      compiled = build(db, placeholders).compile(db);
      compiledBy.set(adapter, compiled);
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.name as keyof Values] : value));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** The same for a statement that differs between the engines. */
export function prepareForEngines<Values extends object, Row>(
  build: (engine: Engine, db: Db, placeholders: Values) => Compilable<Row> | RawBuilder<Row>,
): Record<Engine, (db: Db, values: Values) => Promise<Row[]>> {
  return {
    sqlite: prepareStatement<Values, Row>((db, values) => build("sqlite", db, values)),
    postgres: prepareStatement<Values, Row>((db, values) => build("postgres", db, values)),
  };
}
