import styles from './mascot.module.css';

const stars = [
  [38, 24, 1.1],
  [84, 46, 0.8],
  [131, 18, 1],
  [196, 38, 0.8],
  [318, 20, 0.9],
  [349, 50, 1.1],
  [394, 30, 0.8],
  [438, 16, 1],
] as const;

/** The mole's world cut open: night above, its tunnel from a server in the earth to the hill. Decoration. */
export function Banner() {
  return (
    <svg className={styles.banner} viewBox="0 0 480 176" aria-hidden="true">
      <defs>
        <linearGradient id="night" x2="0" y2="1">
          <stop offset="0" stopColor="#2b0f52" />
          <stop offset="1" stopColor="#8026d9" />
        </linearGradient>
        <linearGradient id="earth" x2="0" y2="1">
          <stop offset="0" stopColor="#3d2359" />
          <stop offset="1" stopColor="#1f1130" />
        </linearGradient>
      </defs>
      <path fill="url(#night)" d="M0 0h480v176H0z" />
      {stars.map(([x, y, r]) => (
        <circle key={x} cx={x} cy={y} r={r} fill="#fff" opacity=".8" />
      ))}
      <path fill="#f3e6ff" d="M266 23a17 17 0 1 0 21 21 15 15 0 0 1-21-21Z" />
      <path fill="#6a2fb0" d="M0 96c60-22 120-20 190-4s150 8 290-14v40H0z" opacity=".7" />
      <path fill="url(#earth)" d="M0 106c30-4 56-3 78-2 14-30 62-30 76 1 90 5 200-7 326-1v72H0z" />
      <path
        d="M116 100v26c0 16 12 24 28 24h150c20 0 22-14 42-14h40"
        fill="none"
        stroke="#12091d"
        strokeWidth="17"
        strokeLinecap="round"
      />
      <path
        className={styles.light}
        d="M116 100v26c0 16 12 24 28 24h150c20 0 22-14 42-14h40"
        fill="none"
        stroke="#d9b8ff"
        strokeWidth="2.500"
        strokeLinecap="round"
        strokeDasharray="1 12"
      />
      <g transform="translate(374 116)">
        <rect width="52" height="40" rx="6" fill="#12091d" />
        {[7, 22].map((y) => (
          <g key={y}>
            <rect x="6" y={y} width="40" height="11" rx="3" fill="#2f1a49" />
            <circle cx="13" cy={y + 5.5} r="2" fill="#3fbf7f" />
            <path d={`M22 ${y + 5.5}h18`} stroke="#6d4a99" strokeWidth="2" strokeLinecap="round" />
          </g>
        ))}
      </g>
      <g fill="#5a3a80" opacity=".7">
        <circle cx="42" cy="134" r="4" />
        <circle cx="62" cy="160" r="3" />
        <circle cx="208" cy="124" r="3" />
        <circle cx="252" cy="168" r="4" />
        <circle cx="330" cy="162" r="3" />
        <circle cx="452" cy="128" r="4" />
      </g>
    </svg>
  );
}
