/** The project's mole, as in the panel. */
export const mole = [
  '<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<rect width="32" height="32" rx="8" fill="#8026d9" />',
  '<path d="M16 5.500c-6 0-9.800 4.600-9.800 11V27h19.600V16.500c0-6.400-3.800-11-9.800-11Z" fill="#2a1740" />',
  '<ellipse cx="16" cy="17.600" rx="6.200" ry="4.600" fill="#4b2e6b" />',
  '<circle cx="11.200" cy="12.600" r="1.500" fill="#fff" />',
  '<circle cx="20.800" cy="12.600" r="1.500" fill="#fff" />',
  '<ellipse cx="16" cy="15.900" rx="3.100" ry="2.300" fill="#ff9dbf" />',
  '<path d="M.8 27.500C5 24 10 22 16 22s11 2 15.200 5.500A8 8 0 0 1 24 32H8a8 8 0 0 1-7.200-4.500Z" fill="#d9b8ff" />',
  '<ellipse cx="8.400" cy="23.300" rx="3" ry="2.100" transform="rotate(-24 8.400 23.300)" fill="#ff9dbf" />',
  '<ellipse cx="23.600" cy="23.300" rx="3" ry="2.100" transform="rotate(24 23.600 23.300)" fill="#ff9dbf" />',
  '</svg>',
].join('');
