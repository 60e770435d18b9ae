/** What Prometheus answers, as far as the tests look at it: https://prometheus.io/docs/prometheus/latest/querying/api/ */
interface PrometheusAnswers {
  alerts: { alerts: { labels: Record<string, string>; state: "pending" | "firing" }[] };
  rules: { groups: { name: string; rules: { name: string; health: string }[] }[] };
  targets: { activeTargets: { health: string; labels: { job: string; instance: string } }[] };
}

/**
 * Asks Prometheus for what it knows.
 * @throws Error when it doesn't answer with it
 */
export async function askPrometheus<Name extends keyof PrometheusAnswers>(
  host: string,
  name: Name,
): Promise<PrometheusAnswers[Name]> {
  const answer = await fetch(`http://${host}:9090/api/v1/${name}`);
  if (!answer.ok) throw new Error(`Prometheus answers ${answer.status} to a question for ${name}`);
  const { data }: { data: PrometheusAnswers[Name] } = await answer.json();
  return data;
}
