export default async ({ params }) => <h1>{(await params).page ?? "Start"}</h1>;
