export interface Worlds {
  heading: string;
  items: { heading: string; text: string; url: string; image: string }[];
}

/** The tiles that lead to the worlds of the demo shop. */
export function WorldTiles({ heading, items }: Worlds) {
  return (
    <section>
      <h2>{heading}</h2>
      <ul className="sf-tiles">
        {items.map((world) => (
          <li key={world.url}>
            <a className="sf-tile" href={world.url}>
              <img src={world.image} alt="" width="480" height="360" loading="lazy" />
              <h3>{world.heading}</h3>
              <p>{world.text}</p>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
