/** Counters, gauges and histograms in the text format of Prometheus (version 0.0.4). */

type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, amount?: number): void;
}
export interface Gauge {
  set(value: number, labels?: Labels): void;
  /** Forgets all values, so that what is gone is not reported any more. */
  reset(): void;
}
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

export interface Registry {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string): Gauge;
  /** `buckets`: upper bounds, ascending. */
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  render(): string;
}

const escapeLabel = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
const keyOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",");
const formatNumber = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));
const sample = (name: string, key: string, value: number): string => `${name}${key && `{${key}}`} ${formatNumber(value)}`;
const joinKeys = (...keys: string[]): string => keys.filter(Boolean).join(",");

export function createRegistry(): Registry {
  const metrics = new Map<string, () => string[]>();
  function register(name: string, type: string, help: string, samples: () => string[]): void {
    if (metrics.has(name)) throw new Error(`There is a metric ${name} already`);
    metrics.set(name, () => {
      const lines = samples();
      return lines.length > 0 ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines] : [];
    });
  }
  return {
    counter(name, help) {
      const values = new Map<string, number>();
      register(name, "counter", help, () => [...values].map(([key, value]) => sample(name, key, value)));
      return {
        add(labels = {}, amount = 1) {
          const key = keyOf(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
    },
    gauge(name, help) {
      const values = new Map<string, number>();
      register(name, "gauge", help, () => [...values].map(([key, value]) => sample(name, key, value)));
      return { set: (value, labels = {}) => void values.set(keyOf(labels), value), reset: () => values.clear() };
    },
    histogram(name, help, buckets) {
      const series = new Map<string, { counts: number[]; count: number; sum: number }>();
      register(name, "histogram", help, () =>
        [...series].flatMap(([key, { counts, count, sum }]) => [
          ...buckets.map((bound, index) => sample(`${name}_bucket`, joinKeys(key, `le="${bound}"`), counts[index] ?? 0)),
          sample(`${name}_bucket`, joinKeys(key, 'le="+Inf"'), count),
          sample(`${name}_sum`, key, sum),
          sample(`${name}_count`, key, count),
        ]),
      );
      return {
        observe(value, labels = {}) {
          const key = keyOf(labels);
          let one = series.get(key);
          if (!one) series.set(key, (one = { counts: buckets.map(() => 0), count: 0, sum: 0 }));
          one.count += 1;
          one.sum += value;
          // Buckets are cumulative.
          for (let index = buckets.length - 1; index >= 0 && value <= buckets[index]!; index -= 1) one.counts[index]! += 1;
        },
      };
    },
    render: () => `${[...metrics.values()].flatMap((samples) => samples()).join("\n")}\n`,
  };
}
