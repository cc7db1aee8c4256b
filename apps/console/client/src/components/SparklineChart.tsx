import '@mantine/charts/styles.css';

export { Sparkline as default } from '@mantine/charts';
